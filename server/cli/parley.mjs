#!/usr/bin/env node
// `npx parley <command>`: the headless command line, and `npx parley start`. Old syntax on purpose: see start.mjs.
import { checkNode } from './checkNode.mjs'

if (process.argv[2] === 'start') import('./start.mjs')
else if (checkNode()) {
  import('./prepare.mjs')
    .then(function (prepare) {
      prepare.ensureInstalled()
      return prepare.ensureCliBuilt()
    })
    .then(function (entry) {
      return import(entry)
    })
    .catch(function (error) {
      console.error(error)
      process.exit(1)
    })
}
