import { existsSync, readFileSync } from 'node:fs'

/** What loading the program takes: it reads its parts all at once. */
var LEAST = 320

/** Says which limit to raise when the process may have too few files open for the program to be loaded. */
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
