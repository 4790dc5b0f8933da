// Prints the graph of the server's modules (`npm run check -- graph`). A module is listed above those that need it.
import { declaredModules, layers } from './modules.mjs'

/** @returns one line per module, lowest first: its name, its needs, its purpose */
export function graphOf(declared = declaredModules()) {
  return Object.entries(declared).map(([name, { purpose, needs }]) => {
    // indirect needs are omitted
    const far = new Set(needs.flatMap((need) => allNeeds(declared, need)))
    const near = needs.filter((need) => !far.has(need))
    return `${name.padEnd(14)}${(near.length > 0 ? `→ ${near.join(', ')}` : '').padEnd(36)}  ${purpose}`
  })
}

/** The modules that a module depends on, directly or indirectly. */
function allNeeds(declared, name) {
  return declared[name].needs.flatMap((need) => [need, ...allNeeds(declared, need)])
}

export function printGraph() {
  for (const [name, purpose] of Object.entries(layers)) console.log(`${name.padEnd(52)}${purpose}`)
  console.log()
  for (const line of graphOf()) console.log(line)
}
