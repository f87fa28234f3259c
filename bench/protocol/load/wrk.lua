-- Posts the requests of a plan in turn and looks at every answer. The plan is a Lua table in the file that LOAD_PLAN names.
local plan = dofile(os.getenv("LOAD_PLAN"))
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init()
  wrong = 0
  sample = ""
  at = 0
  count = plan.first
  parts = {}
  for index, text in ipairs(plan.requests) do
    local from, to = string.find(text, plan.key, 1, true)
    if from then
      parts[index] = { string.sub(text, 1, from - 1), string.sub(text, to + 1) }
    end
  end
end

function request()
  at = at % #plan.requests + 1
  local part = parts[at]
  if not part then
    return plan.requests[at]
  end
  count = count + 1
  return part[1] .. string.format(plan.format, count) .. part[2]
end

function response(status, _, body)
  if status ~= 200 or not string.find(body, plan.needle, 1, true) then
    wrong = wrong + 1
    if wrong == 1 then
      sample = string.sub(body, 1, 300)
    end
  end
end

function done(summary, latency)
  local wrong_answers = 0
  local example = ""
  for _, thread in ipairs(threads) do
    wrong_answers = wrong_answers + thread:get("wrong")
    if example == "" then
      example = thread:get("sample")
    end
  end
  local errors = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d %d %d\n", summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), wrong_answers, errors.connect + errors.read + errors.write + errors.timeout, os.clock() * 1e6))
  io.write("SAMPLE " .. string.gsub(example, "[\r\n]", " ") .. "\n")
end
