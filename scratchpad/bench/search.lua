-- Searches for one query after another; the bodies stand in a file, one on each line.
local bodies = {}
for line in io.lines(os.getenv("BENCH_BODIES")) do bodies[#bodies + 1] = line end
local n = 0
request = function()
  n = n % #bodies + 1
  local headers = { ["Content-Type"] = "application/json", ["X-API-Key"] = wrk.headers["X-API-Key"] }
  return wrk.format("POST", "/api/search", headers, bodies[n])
end
