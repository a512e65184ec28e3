-- Reads one task after another out of 10,000.
local n = 0
request = function()
  n = (n + 7919) % 10000
  return wrk.format("GET", "/api/tasks/task_" .. n)
end
