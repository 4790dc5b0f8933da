// Old syntax on purpose: see start.mjs.

/** Prints one line and sets the exit code if this Node is older than package.json requires. */
export function checkNode() {
  var found = process.versions.node.split('.').map(Number)
  if (found[0] > 20 || (found[0] === 20 && found[1] >= 19)) return true
  console.error(
    "Parley can't start: it needs Node 20.19 or newer, and this is Node " +
      process.versions.node +
      '. See https://nodejs.org',
  )
  process.exitCode = 1
  return false
}
