import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const DEBIAN = '/usr/bin/chromium'

/** Makes sure that the browser tests have a browser: the one CHROMIUM_PATH names, or Debian's, which is installed when it's missing. */
export function ensureChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named)
    return (
      existsSync(named) || stop(`CHROMIUM_PATH is "${named}", where nothing is: give the path of a Chromium or Chrome`)
    )
  if (existsSync(DEBIAN)) return true
  console.log('Installing Chromium for the browser tests…')
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
  ]) {
    const [command, ...rest] = [...asRoot, 'apt-get', ...args]
    spawnSync(command, rest, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  }
  return (
    existsSync(DEBIAN) ||
    stop('The browser tests need Chromium: install it, and set CHROMIUM_PATH when it is not /usr/bin/chromium')
  )
}

function stop(reason) {
  console.error(reason)
  process.exit(1)
}
