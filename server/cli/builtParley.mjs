#!/usr/bin/env node
// build/parley/parley.mjs, what is built by itself: `parley start` is the server, anything else the command line.
// This file uses only syntax that old releases of Node can parse, so that they can print what is wrong.
import module from 'node:module'
import { checkFiles } from './checkFiles.mjs'
import { checkNode } from './checkNode.mjs'

var starts = process.argv[2] === 'start'

if (checkNode() && (!starts || checkFiles())) {
  // since Node 22: what was compiled is kept for the next start
  if (module.enableCompileCache) module.enableCompileCache()
  if (!process.env.NODE_ENV) process.env.NODE_ENV = 'production'
  import(starts ? './server/main.js' : './server/cli.js').catch(function (error) {
    console.error(error)
    process.exit(1)
  })
}
