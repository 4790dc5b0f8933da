// The server's modules as they are declared (`module.ts`): `npm run check -- graph`. A module stands below those that need it.
import { declaredModules, layers } from './modules.mjs'

/** @returns one line a module, lowest first: its name, what it needs, what it is for */
export function graphOf(declared = declaredModules()) {
  return Object.entries(declared).map(([name, { purpose, needs }]) => {
    // what comes by way of another need is not drawn
    const far = new Set(needs.flatMap((need) => allNeeds(declared, need)))
    const near = needs.filter((need) => !far.has(need))
    return `${name.padEnd(14)}${(near.length > 0 ? `→ ${near.join(', ')}` : '').padEnd(38)}${purpose}`
  })
}

/** Those that a module reaches, directly or by way of others, without itself. */
function allNeeds(declared, name) {
  return declared[name].needs.flatMap((need) => [need, ...allNeeds(declared, need)])
}

export function printGraph() {
  for (const [name, purpose] of Object.entries(layers)) console.log(`${name.padEnd(52)}${purpose}`)
  console.log()
  for (const line of graphOf()) console.log(line)
}
