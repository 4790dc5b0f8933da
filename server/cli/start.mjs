// `npm start`. This file keeps to syntax that old releases of Node can read, so that they get to say what is wrong.
import { checkFiles } from './checkFiles.mjs'
import { checkNode } from './checkNode.mjs'

if (checkNode() && checkFiles()) {
  import('./prepare.mjs')
    .then(function (prepare) {
      prepare.ensureInstalled()
      prepare.ensureBuilt()
      return import('../../build/server/main.js')
    })
    .catch(function (error) {
      console.error(error)
      process.exit(1)
    })
}
