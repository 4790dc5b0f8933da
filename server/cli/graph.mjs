// The server's modules as they are declared (server/modules.mjs): `npm run check -- graph`. A module stands below those that need it.
import { layers, modules } from '../modules.mjs'

/** @returns one line a module, lowest first: its name, what it needs, what it is for. @throws where one needs what stands after it */
export function graphOf(declared = modules) {
  const names = Object.keys(declared)
  return names.map((name, at) => {
    const { purpose, needs } = declared[name]
    const wrong = needs.find((need) => !names.slice(0, at).includes(need))
    if (wrong) throw new Error(`${name} needs ${wrong}, which is no module before it: modules would stand in a circle.`)
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
