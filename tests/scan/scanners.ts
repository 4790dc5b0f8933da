import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

/** Whose cookies a scanner sends; '' for nobody's. */
export type Cookies = string

/** Runs a program to its end; what it says is kept for the error. */
async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  const code = await new Promise<number | null>((done, fail) => child.once('close', done).once('error', fail))
  if (code !== 0) throw new Error(`${program} ended with ${code}:\n${said.slice(-2_000)}`)
  return said
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-scan-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const ffufSchema = z.object({ results: z.array(z.object({ url: z.string(), status: z.number() })).nullable() })

/** ffuf: which of the usual hidden names are answered. @returns paths with status, but for 404s and refusals */
export const findNames = (url: string, cookies: Cookies): Promise<{ path: string; status: number }[]> =>
  inFolder(async (folder) => {
    const report = join(folder, 'report.json')
    const words = join(import.meta.dirname, 'words.txt')
    const of = [
      '-u',
      `${url}/FUZZ`,
      '-w',
      words,
      '-H',
      `Cookie: ${cookies}`,
      '-mc',
      'all',
      '-fc',
      '400,401,403,404,405',
    ]
    await run('ffuf', [...of, '-t', '4', '-s', '-o', report, '-of', 'json'], folder)
    const { results } = ffufSchema.parse(JSON.parse(await readFile(report, 'utf8')))
    return (results ?? []).map((each) => ({ path: new URL(each.url).pathname, status: each.status }))
  })

/** sqlmap: which parameters of these addresses reach the database as SQL. @returns its findings, a line each */
export const findInjections = (urls: readonly string[], cookies: Cookies): Promise<string[]> =>
  inFolder(async (folder) => {
    const targets = join(folder, 'targets.txt')
    const out = join(folder, 'out')
    await mkdir(out)
    await writeFile(targets, urls.join('\n'))
    const how = ['--batch', '--smart', '--level=1', '--risk=1', '--technique=BEU', '--threads=4', '--retries=0']
    // 401 to 429 are answers, not walls
    const quiet = ['--disable-coloring', '--skip-waf', '--ignore-code=401,403,404,409,422,429', '--flush-session']
    const said = await run(
      'sqlmap',
      ['-m', targets, ...how, ...quiet, `--output-dir=${out}`, ...(cookies ? [`--cookie=${cookies}`] : [])],
      folder,
    )
    const files = (await readdir(out)).filter((name) => name.startsWith('results-'))
    const rows = (await Promise.all(files.map((name) => readFile(join(out, name), 'utf8')))).flatMap((text) =>
      text.trim().split('\n').slice(1),
    )
    const named = said.split('\n').filter((line) => /is vulnerable|appears to be .* injectable/.test(line))
    return [...rows, ...named].filter((line) => line.trim() !== '')
  })

const wapitiSchema = z.object({
  vulnerabilities: z.record(z.string(), z.array(z.object({ method: z.string(), path: z.string(), info: z.string() }))),
  infos: z.object({ crawled_pages: z.unknown().optional() }).loose(),
})
/** Those that need another machine of its makers' are left out. */
const MODULES =
  'blindsql,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock,sql,xss'

/** wapiti: follows links from a page, and tries forms and parameters. @returns its findings by category */
export const findWeaknesses = (url: string, starts: readonly string[], cookies: Cookies): Promise<string[]> =>
  inFolder(async (folder) => {
    const report = join(folder, 'report.json')
    const of = ['-u', `${url}/`, '--scope', 'domain', '-d', '3', '-m', MODULES, '-l', '1', '--flush-session']
    const kept = ['--store-session', folder, '--store-config', folder, '--no-bugreport', '-v', '0', '-t', '20']
    const time = ['--max-scan-time', '60', '--max-attack-time', '15']
    const known = starts.flatMap((start) => ['-s', start])
    const who = cookies ? ['-H', `Cookie: ${cookies}`] : []
    await run('wapiti', [...of, ...kept, ...time, ...known, ...who, '-f', 'json', '-o', report], folder)
    const { vulnerabilities } = wapitiSchema.parse(JSON.parse(await readFile(report, 'utf8')))
    return Object.entries(vulnerabilities).flatMap(([category, found]) =>
      found.map(({ method, path, info }) => `${category}: ${method} ${path}: ${info}`),
    )
  })
