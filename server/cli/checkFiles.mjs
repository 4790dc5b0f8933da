import { existsSync, readFileSync } from 'node:fs'

/** Files open at once while the program loads. */
var LEAST = 320

/** Names the limit to raise if the process may not open enough files to load the program. */
export function checkFiles() {
  if (!existsSync('/proc/self/limits')) return true
  var found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
  if (!found || Number(found[1]) >= LEAST) return true
  console.error(
    `Parley can't start: it may have ${found[1]} files open at once. Raise the limit to 4096 (ulimit -n 4096), at least to ${LEAST}`,
  )
  process.exitCode = 1
  return false
}
