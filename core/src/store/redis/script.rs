//! What the server does in one step that it has no command for.
//!
//! Owns: the scripts' text. Must not know: who runs them. Each touches one key, so that any node
//! of a cluster can run it.

use redis::Script;

/// Replaces the value of a version. Arguments: the version, the new version with the value, the
/// time to live.
pub(super) const REPLACE: &str = "
if redis.call('GETRANGE', KEYS[1], 0, 7) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
";

/// Appends an entry. Arguments: four bounds as for `TRIM`, then the random part of its id and the
/// value. Each entry knows how many bytes were ever appended up to it, so that what is held is one
/// subtraction.
pub(super) const APPEND: &str = "
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local sum = #ARGV[6]
if last then sum = sum + tonumber(last[2][4]) end
local new = redis.call('XADD', KEYS[1], '*', 'r', ARGV[5], 's', string.format('%.0f', sum), 'v', ARGV[6])
local least = 1
";

/// What `TRIM` has to know of a log that nothing is appended to.
pub(super) const LAST: &str = "
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last then return 0 end
local sum = tonumber(last[2][4])
local new
local least = 0
";

/// Drops the oldest entries. Arguments: most entries, bytes and milliseconds, each -1 for any;
/// the time to live. Returns the number of the new entry, or how many were dropped.
pub(super) const TRIM: &str = "
local entries, bytes, age = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local dropped = 0
if entries >= 0 then
  dropped = dropped + redis.call('XTRIM', KEYS[1], 'MAXLEN', '=', math.max(entries, least))
end
if age >= 0 then
  local time = redis.call('TIME')
  local oldest = math.max(tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) - age, 0)
  dropped = dropped + redis.call('XTRIM', KEYS[1], 'MINID', '=', string.format('%.0f', oldest))
end
while bytes >= 0 do
  local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
  if not first or first[1] == new then break end
  if sum - (tonumber(first[2][4]) - #first[2][6]) <= bytes then break end
  dropped = dropped + redis.call('XDEL', KEYS[1], first[1])
end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return new or dropped
";

/// A script of these parts.
pub(super) fn script(parts: &[&str]) -> Script {
    Script::new(&parts.concat())
}
