-- Patches one task after another out of one half of 10,000, each based on the revision that the one before left.
local half = tonumber(os.getenv("HALF") or "0")
local calls = 0
local revision = {}
request = function()
  calls = calls + 1
  local n = half * 5000 + calls % 5000
  local r = revision[n] or 1
  -- wrk asks for one request before it starts and never sends it.
  if calls > 1 then revision[n] = r + 1 else calls = 1 end
  local headers = {
    ["If-Match"] = '"task:task_' .. n .. ':' .. r .. '"',
    ["Content-Type"] = "application/json",
    ["X-API-Key"] = wrk.headers["X-API-Key"],
  }
  return wrk.format("PATCH", "/api/tasks/task_" .. n, headers, '{"title":"Patched ' .. r .. '"}')
end
