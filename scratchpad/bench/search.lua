-- Two words of the vocabulary for each request; common ones more often, as people ask.
local function word()
  return string.format("w%04d", math.floor(5000 * math.random() ^ 2))
end

function init(args)
  math.randomseed(9)
end

function request()
  local body = string.format('{"query":"%s %s","limit":20}', word(), word())
  return wrk.format("POST", nil, { ["content-type"] = "application/json", ["x-api-key"] = "bench-key" }, body)
end
