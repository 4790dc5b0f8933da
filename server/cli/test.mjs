// `npm test`: sets everything up, runs every check and test, and ends with one line: how many passed, how many failed.
// `npm run test:full` (`--full`) does so with the long courses: tests that repeat a thing at random read FULL and do it more often.
import { checkNode } from './checkNode.mjs'

if (checkNode()) await main()

async function main() {
  const { ensureBuilt, ensureInstalled } = await import('./prepare.mjs')
  const { ensureChromium } = await import('./chromium.mjs')
  ensureInstalled()
  ensureChromium()
  ensureBuilt()
  const { printCheck, runChecks } = await import('./checks.mjs')
  const args = process.argv.slice(2)
  if (args.includes('--full')) process.env.FULL = '1'
  const extra = args.filter((arg) => arg !== '--full')
  const checks = extra.length > 0 ? [] : runChecks(printCheck)
  const tests = await runVitest(extra)
  const passed = checks.filter((check) => check.passed).length + tests.passed
  const failed = checks.filter((check) => !check.passed).length + tests.failed
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

/** A run that ends without a report, or with a failure outside of any test, counts as one failure. */
async function runVitest(extra) {
  const { spawn } = await import('node:child_process')
  const { mkdtempSync, readFileSync, rmSync } = await import('node:fs')
  const { tmpdir } = await import('node:os')
  const { join } = await import('node:path')
  const { root } = await import('./sources.mjs')
  const folder = mkdtempSync(join(tmpdir(), 'parley-report-'))
  const file = join(folder, 'report.json')
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...extra]
  const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  const status = await new Promise((done) => child.once('close', done))
  try {
    const { numPassedTests: passed, numFailedTests, testResults } = JSON.parse(readFileSync(file, 'utf8'))
    const withoutTests = testResults.filter(
      (result) => result.status === 'failed' && result.assertionResults.length === 0,
    ).length
    const failed = numFailedTests + withoutTests
    return { passed, failed: status === 0 ? failed : Math.max(failed, 1) }
  } catch {
    return { passed: 0, failed: 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
