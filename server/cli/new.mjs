// `npm run new -- module shelves`, `npm run new -- block calculator`: generates a working module of the server, or kind
// of block.
import { checkNode } from './checkNode.mjs'

if (!checkNode()) process.exit(1)
const { scaffold } = await import('./scaffold/scaffold.mjs')
const [what, name] = process.argv.slice(2)
try {
  const { written, next } = scaffold(what, name)
  for (const path of written) console.log(path)
  console.log(`\n${next}`)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
