// `npm run vendors:check -- hubspot`: what only a real account can show of a vendor.
// Old syntax on purpose: see start.mjs.
import { checkNode } from './checkNode.mjs'

if (checkNode()) {
  import('./prepare.mjs')
    .then(function (prepare) {
      prepare.ensureInstalled()
      prepare.ensureBuilt()
      // not by its path alone: before the first build nothing is there
      return import(new URL('../../build/parley/server/vendorsCheck.js', import.meta.url).href)
    })
    .catch(function (error) {
      console.error(error)
      process.exit(1)
    })
}
