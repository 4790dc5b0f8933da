import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** System programs that the tests need: Debian's packages, or the paths in environment variables. */
const PROGRAMS = {
  chromium: { path: '/usr/bin/chromium', variable: 'CHROMIUM_PATH', purpose: 'The browser tests need Chromium' },
  'redis-server': {
    path: '/usr/bin/redis-server',
    variable: 'REDIS_SERVER_PATH',
    purpose: 'The tests of several processes need Redis',
  },
  'tesseract-ocr': {
    path: '/usr/bin/tesseract',
    variable: 'TESSERACT_PATH',
    purpose: 'The tests of scanned documents need Tesseract',
    with: ['tesseract-ocr-deu'],
  },
  ffuf: { path: '/usr/bin/ffuf', variable: 'FFUF_PATH', purpose: 'The scan looks for hidden names with ffuf' },
  sqlmap: { path: '/usr/bin/sqlmap', variable: 'SQLMAP_PATH', purpose: 'The scan looks for injected SQL with sqlmap' },
  wapiti: { path: '/usr/bin/wapiti', variable: 'WAPITI_PATH', purpose: 'The scan follows links and forms with wapiti' },
  pebble: {
    path: '/usr/bin/pebble',
    variable: 'PEBBLE_PATH',
    purpose: 'The tests of custom domains need Pebble, a certificate authority for tests',
  },
}

/** Ensures that a program exists: the one its variable names, or Debian's, whose package is installed if missing. */
export function ensureProgram(name) {
  const { path, variable, purpose, with: also = [] } = PROGRAMS[name]
  const named = process.env[variable]
  if (named) {
    if (!existsSync(named)) stop(`${variable} is "${named}", where nothing is: give the path of ${name}`)
    return
  }
  if (existsSync(path)) return
  console.log(`Installing ${name} for the tests…`)
  install([name, ...also])
  if (!existsSync(path)) stop(`${purpose}: install ${name}, and set ${variable} when it is not ${path}`)
}

function install(packages) {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
    const [command, ...rest] = [...asRoot, 'apt-get', ...args]
    spawnSync(command, rest, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  }
}

function stop(reason) {
  console.error(reason)
  process.exit(1)
}
