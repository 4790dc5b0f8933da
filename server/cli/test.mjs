// `npm test`: sets everything up, runs every check and test, and prints a last line: how many passed, how many failed.
// `npm run test:full` (`--full`) sets FULL, with which randomised tests run more rounds.
import { checkNode } from './checkNode.mjs'

if (checkNode()) await main()

async function main() {
  const { ensureBuilt, ensureInstalled } = await import('./prepare.mjs')
  const { ensureProgram } = await import('./debianProgram.mjs')
  ensureInstalled()
  ensureProgram('chromium')
  ensureProgram('redis-server')
  ensureProgram('pebble')
  ensureProgram('tesseract-ocr')
  ensureBuilt()
  const { printCheck, runChecks } = await import('./checks.mjs')
  const args = process.argv.slice(2)
  if (args.includes('--full')) process.env.FULL = '1'
  const extra = args.filter((arg) => arg !== '--full')
  const checks = extra.length > 0 ? [] : await runChecks(printCheck)
  const run = await runVitest(extra)
  const tests = sum(run)
  const passed = checks.filter((check) => check.passed).length + tests.passed
  const failed = checks.filter((check) => !check.passed).length + tests.failed
  // once more at the end: who reads the log from there sees what to look for
  for (const name of run.failures) console.log(`failed: ${name}`)
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

/** A run without a report, or with a failure outside any test, counts as at least one failure. */
function sum({ files, complete }) {
  const count = (what) => files.reduce((total, file) => total + file[what], 0)
  return { passed: count('passed'), failed: complete ? count('failed') : Math.max(count('failed'), 1) }
}

/** Runs vitest once. `complete`: it wrote a report that contains every failure. */
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
    const { testResults } = JSON.parse(readFileSync(file, 'utf8'))
    const files = testResults.map(({ status, assertionResults }) => {
      const count = (wanted) => assertionResults.filter((result) => result.status === wanted).length
      const failed = count('failed')
      // a file can fail without any of its tests: its setup is broken
      return { passed: count('passed'), failed: status === 'failed' ? Math.max(failed, 1) : failed }
    })
    return {
      files,
      failures: namesOf(testResults, root),
      complete: status === 0 || files.some(({ failed }) => failed > 0),
    }
  } catch {
    return { files: [], failures: [], complete: false }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What failed: tests by file and name; a file alone where its setup did. */
function namesOf(testResults, root) {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const file = name.replace(`${root}/`, '')
      const failed = assertionResults.filter((result) => result.status === 'failed')
      return failed.length === 0 ? [file] : failed.map(({ fullName }) => `${file}: ${fullName}`)
    })
}
