// `npm start`. This file uses only syntax that old releases of Node can parse, so that they can print what is wrong.
import { checkFiles } from './checkFiles.mjs'
import { checkNode } from './checkNode.mjs'

if (checkNode() && checkFiles()) {
  import('./prepare.mjs')
    .then(function (prepare) {
      prepare.ensureInstalled()
      prepare.ensureBuilt()
      return import('../../build/parley/server/main.js')
    })
    .catch(function (error) {
      console.error(error)
      process.exit(1)
    })
}
