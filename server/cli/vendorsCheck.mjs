// `npm run vendors:check -- hubspot`: what only a real account can show of a vendor.
// Old syntax on purpose: see start.mjs.
import { checkNode } from './checkNode.mjs'

if (checkNode()) {
  import('./prepare.mjs')
    .then(function (prepare) {
      prepare.ensureInstalled()
      prepare.ensureBuilt()
      return import('../../build/server/vendorsCheck.js')
    })
    .catch(function (error) {
      console.error(error)
      process.exit(1)
    })
}
