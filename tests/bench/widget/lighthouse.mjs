// Lighthouse's performance of a page with a candidate in it: phone, its own simulated slow 4G.
import { execFile, execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** @returns what scores the page that a site shows, 0 to 100; null where Lighthouse can't be installed */
export async function installLighthouse(temporary) {
  const folder = join(temporary, 'lighthouse')
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  try {
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', 'lighthouse'], {
      cwd: folder,
      stdio: 'ignore',
    })
  } catch {
    console.log('Lighthouse could not be fetched: left out')
    return null
  }
  return async (url) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        join(folder, 'node_modules/lighthouse/cli/index.js'),
        url,
        '--only-categories=performance',
        '--output=json',
        '--quiet',
        '--no-enable-error-reporting',
        '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
      ],
      {
        env: { ...process.env, CHROME_PATH: process.env.CHROMIUM_PATH || '/usr/bin/chromium' },
        maxBuffer: 50_000_000,
      },
    )
    const { score } = JSON.parse(stdout).categories.performance
    return Math.round(score * 100)
  }
}
