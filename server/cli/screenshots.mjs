// Recreates the screenshots of the README; commit what changed.
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from './sources.mjs'

const { module } = await runnerImport(join(root, 'tests/e2e/screenshots.ts'), { root, configFile: false })
await module.makeScreenshots()
