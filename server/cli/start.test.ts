import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../tests/support/databaseUrl'
import { serverBuild } from './build.mjs'

/**
 * The built server as a child process, as `npm start` runs it. A long file, since all of it uses one build of the
 * server, which takes longer than most of the tests.
 */
const outDir = join(serverBuild.root, `build/start-test-${process.pid}`)
const isRoot = process.getuid?.() === 0
const NOBODY = { uid: 65534, gid: 65534 }
/** In a sandbox, root may not be able to mount the small disk that one test fills. */
const canMount =
  isRoot && spawnSync('sh', ['-c', 'd=$(mktemp -d) && mount -t tmpfs tmpfs $d && umount $d && rmdir $d']).status === 0
/** Each starts a server and a database: one of a kind in `npm test`, all in `npm run test:full`. */
const FULL = process.env.FULL !== undefined
const long = test.runIf(FULL)
const DAEMON = { uid: 1, gid: 1 }

let folder: string
/** the data of a Parley that was started once and stopped: to make a database takes longer than most of the tests */
let stopped: string
const children: ChildProcess[] = []

beforeAll(async () => {
  await build({ ...serverBuild, build: { ...serverBuild.build, outDir } })
  stopped = folder = await mkdtemp(join(tmpdir(), 'parley-stopped-'))
  await chmod(folder, 0o755)
  const run = start()
  await run.prints(RUNNING)
  await end(run.child, 'SIGTERM')
  children.splice(0)
})
afterAll(() => Promise.all([outDir, stopped].map((path) => rm(path, { recursive: true, force: true }))))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-start-'))
  await chmod(folder, 0o755)
})
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => end(child, 'SIGTERM')))
  const orphan = await readPid()
  if (orphan && isAlive(orphan)) process.kill(orphan, 'SIGQUIT')
  await rm(folder, { recursive: true, force: true })
})

interface Run {
  child: ChildProcess
  output: () => string
  /** @returns the first group of the pattern, once the output has it */
  prints: (pattern: RegExp) => Promise<string>
  exit: Promise<number | null>
}

/** @param files the limit on open files */
function start(
  env: Record<string, string> = {},
  identity: { uid?: number; gid?: number } = {},
  args: string[] = [],
  files?: number,
): Run {
  const command = [
    ...(files ? ['prlimit', `--nofile=${files}:${files}`] : []),
    process.execPath,
    join(outDir, 'main.js'),
  ]
  const child = spawn(command[0] ?? '', [...command.slice(1), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...identity,
  })
  children.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      child.emit('printed')
    })
  }
  const exit = once(child, 'close').then(([code]) => code as number | null)
  const prints = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(said)
      if (found) return found[1] ?? found[0]
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`The server ended without printing ${pattern}: ${said}`)
      await Promise.race([once(child, 'printed'), exit])
    }
  }
  return { child, output: () => said, prints, exit }
}

/** A start on data that is there already. */
function startAgain(...[env, ...rest]: Parameters<typeof start>): Run {
  const { status, stderr } = spawnSync('cp', ['-a', `${stopped}/.`, folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The data could not be copied: ${stderr}`)
  return start(env, ...rest)
}

const RUNNING = /Parley runs at (http:\S+)\n/

/** A module that writes down which modules the process loads. To a file: a pipe that nobody has emptied yet refuses. */
const dataModule = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`
const notingModules = (file: string) => {
  const load = `(url, context, next) => (appendFileSync(${JSON.stringify(file)}, url + '\\n'), next(url, context))`
  const hooks = dataModule(`import { appendFileSync } from 'node:fs'; export const load = ${load}`)
  return dataModule(`import { register } from 'node:module'; register(${JSON.stringify(hooks)})`)
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill(signal)
    await once(child, 'close')
  }
  return child.exitCode
}

async function readPid(): Promise<number | null> {
  const text = await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  return pid > 0 && pid !== process.pid ? pid : null
}

/** @throws when there is none: a signal to nobody would go to this process and all around it */
async function databasePid(): Promise<number> {
  const pid = await readPid()
  if (pid === null) throw new Error('There is no database')
  return pid
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A failing start prints one line with the reason, without a stack, and exits with 1. */
async function expectRefusal(run: Run, reason: RegExp): Promise<void> {
  expect(await run.exit).toBe(1)
  expect(run.output()).toMatch(/^Parley can't start: [^\n]+\n$/)
  expect(run.output()).toMatch(reason)
}

test('a first start prints the address and the link for the owner, and answers', async () => {
  const run = start()
  const url = await run.prints(RUNNING)
  expect(await run.prints(/owner's account: (\S+)\n/)).toContain(`${url}/register?setup`)
  const answer = await fetch(`${url}/api/nothing`)
  expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ success: false })])
})

long('what is built refuses no address that can not be decoded: it is one that there is not', async () => {
  const url = await startAgain().prints(RUNNING)
  const status = async (path: string) => (await fetch(url + path)).status
  expect(await Promise.all(['/%zz', '/c/%E0%A4%A'].map(status))).toEqual([404, 404])
})

test.each(FULL ? (['SIGINT', 'SIGTERM'] as const) : (['SIGTERM'] as const))(
  '%s stops server and database cleanly',
  async (signal) => {
    const run = startAgain()
    await run.prints(RUNNING)
    expect(await end(run.child, signal)).toBe(0)
    expect(await readPid()).toBeNull()
  },
)

long('what is large to load is loaded before visitors come, not with the first question of one', async () => {
  const loaded = join(folder, 'loaded')
  const run = startAgain({ NODE_OPTIONS: `--import="${notingModules(loaded)}"` })
  await run.prints(RUNNING)
  const before = await readFile(loaded, 'utf8')
  for (const library of ['eld', 'ai']) expect(before).toContain(`/node_modules/${library}/`)
})

test('after kill -9 the next start ends the orphaned database and keeps the data', async () => {
  const first = startAgain()
  await first.prints(RUNNING)
  const orphan = await readPid()
  await write('first')
  await end(first.child, 'SIGKILL')
  expect(isAlive(orphan ?? 0)).toBe(true)

  const second = start()
  await second.prints(RUNNING)
  expect(await readPid()).not.toBe(orphan)
  expect(isAlive(orphan ?? 0)).toBe(false)
  expect(await read()).toEqual(['first'])
})

long('after kill -9 of server and database the next start recovers', async () => {
  const first = startAgain()
  await first.prints(RUNNING)
  await write('kept')
  const database = await databasePid()
  await end(first.child, 'SIGKILL')
  process.kill(database, 'SIGKILL')
  const second = start()
  await second.prints(RUNNING)
  expect(await read()).toEqual(['kept'])
})

long('a start that is killed while it makes the database leaves nothing that the next one keeps', async () => {
  const first = start()
  const made = async () => (await readdir(folder)).some((name) => name.startsWith('.postgres-'))
  await expect.poll(made, { interval: 5 }).toBe(true)
  await end(first.child, 'SIGKILL')
  await start().prints(RUNNING)
  expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([])
})

long('a pid file whose number another program has now is stale', async () => {
  const first = startAgain()
  await first.prints(RUNNING)
  await end(first.child, 'SIGTERM')
  const lines = [process.pid, join(folder, 'postgres'), 1, 5432, join(tmpdir(), 'parley-pg-gone'), '', '', 'ready']
  await writeFile(join(folder, 'postgres/postmaster.pid'), lines.join('\n'))
  if (isRoot) await chown(join(folder, 'postgres/postmaster.pid'), NOBODY.uid, NOBODY.gid)
  await start().prints(RUNNING)
})

test.runIf(FULL).each(['', 'garbage\n', '\0\0\0\0'])('a pid file that names no process (%j) is stale', async (text) => {
  const first = startAgain()
  await first.prints(RUNNING)
  await write('kept')
  await end(first.child, 'SIGTERM')
  await writeFile(join(folder, 'postgres/postmaster.pid'), text)
  await start().prints(RUNNING)
  expect(await read()).toEqual(['kept'])
})

long('a pid file that lost its words hides neither a running Parley nor an orphaned database', async () => {
  const first = startAgain()
  const url = await first.prints(RUNNING)
  const database = await readPid()
  await writeFile(join(folder, 'postgres/postmaster.pid'), '')
  await expectRefusal(start(), /in use by another Parley/)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  await end(first.child, 'SIGKILL')
  await start().prints(RUNNING)
  expect(isAlive(database ?? 0)).toBe(false)
})

long('a database that lost its connections still belongs to its Parley', async () => {
  const first = startAgain()
  const url = await first.prints(RUNNING)
  const backends = await query(
    'SELECT pid::text AS note FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname IS NOT NULL',
  )
  // if a backend crashes, the server ends all connections, and recovers
  process.kill(Number(backends[0]?.note), 'SIGKILL')
  await expectRefusal(start(), /in use by another Parley/)
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200)
  expect(first.child.exitCode).toBeNull()
})

long('a folder whose files belong to another database is refused, and adopted when a person says so', async () => {
  const first = start()
  await first.prints(RUNNING)
  await end(first.child, 'SIGTERM')
  await rm(join(folder, 'postgres'), { recursive: true })
  await expectRefusal(start(), /files in .* belong to another installation.*npm start -- --adopt-data/)
  expect(await readPid()).toBeNull()
  const adopting = start({}, {}, ['--adopt-data'])
  await adopting.prints(RUNNING)
  await end(adopting.child, 'SIGTERM')
  await start().prints(RUNNING)
})

long("the database's log outlives a start", async () => {
  const first = startAgain()
  await first.prints(RUNNING)
  await end(first.child, 'SIGTERM')
  const words = await readFile(join(folder, 'postgres.log'), 'utf8')
  const second = start()
  await second.prints(RUNNING)
  expect((await readFile(join(folder, 'postgres.log'), 'utf8')).startsWith(words)).toBe(true)
})

long('an ordinary stop says nothing, however many connections the database has', async () => {
  const run = startAgain({ LOG_LEVEL: 'info' })
  const url = await run.prints(RUNNING)
  await Promise.all(Array.from({ length: 16 }, () => fetch(`${url}/c/nobody`)))
  const before = run.output()
  expect(await end(run.child, 'SIGTERM')).toBe(0)
  expect(run.output()).toBe(before)
})

long('a shell reads the printed DATABASE_URL as one word, whatever the folder is called', async () => {
  const odd = join(folder, "it's $HOME `x`")
  await mkdir(odd)
  const run = start({ DATA_DIR: odd, REDIS_URL: 'redis://127.0.0.1:1' })
  const line = await run.prints(/join with (DATABASE_URL=.*)\n/)
  const { stdout } = spawnSync('sh', ['-c', `${line}; printf %s "$DATABASE_URL"`], { encoding: 'utf8' })
  expect(new URL(stdout).searchParams.get('host')).toBe(join(odd, 'socket'))
})

describe.runIf(FULL && process.platform === 'linux' && spawnSync('prlimit', ['--version']).status === 0)(
  'with few descriptors',
  () => {
    const alive = async (url: string) => {
      const answer = await fetch(`${url}/healthz`, { headers: { connection: 'close' } })
      return ((await answer.json()) as { data: { uptime: number } }).data.uptime
    }

    test('connections are bounded, a start says so, and it answers again once they are gone', async () => {
      const run = startAgain({}, {}, [], 300)
      const url = await run.prints(RUNNING)
      await run.prints(/may have 300 files and connections open at once, which lets 200 browsers in: raise/)
      const crowd = Array.from({ length: 500 }, () =>
        connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {}),
      )
      const cutOff = () => crowd.filter((socket) => socket.destroyed).length
      await expect.poll(cutOff).toBeGreaterThanOrEqual(300)
      for (const socket of crowd) socket.destroy()
      await expect.poll(() => alive(url).catch(() => 0)).toBeGreaterThan(0)
      const lines = run
        .output()
        .split('\n')
        .filter((line) => line.includes('"incident":"descriptors"'))
      expect(lines).toHaveLength(1)
    })

    test('far too few are named', async () => {
      const { status, stderr } = spawnSync(
        'prlimit',
        ['--nofile=100:100', process.execPath, join(serverBuild.root, 'server/cli/start.mjs')],
        { encoding: 'utf8', env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0' } },
      )
      expect([status, stderr.trim().split('\n').at(-1)]).toEqual([
        1,
        expect.stringMatching(/^Parley can't start: .*ulimit -n/),
      ])
    })

    test('a process that has none left lives on', async () => {
      const run = startAgain({ LOG_LEVEL: 'error' })
      const url = await run.prints(RUNNING)
      const { hostname, port } = new URL(url)
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const ask = () =>
        new Promise<number>((done, fail) => {
          get({ hostname, port, path: '/healthz', agent }, async (answer) => {
            const { data } = JSON.parse(await text(answer))
            done(data.uptime)
          }).once('error', fail)
        })
      const before = await ask()
      const limit = (most: number) => spawnSync('prlimit', ['--pid', String(run.child.pid), `--nofile=${most}:`])
      // as many as are open: from now on opening fails, apart from the few closed meanwhile
      const open = await readdir(`/proc/${run.child.pid}/fd`)
      const most = Math.max(...open.map(Number)) + 1
      limit(most)
      const crowd = Array.from({ length: most + 50 }, () => connect(Number(port), hostname).on('error', () => {}))
      await expect.poll(() => crowd.some((socket) => socket.destroyed)).toBe(true)
      await expect.poll(ask).toBeGreaterThan(before + 3)
      for (const socket of crowd) socket.destroy()
      limit(20_000)
      await expect.poll(() => alive(url).catch(() => 0)).toBeGreaterThan(before)
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      agent.destroy()
    })
  },
)

test('a stop under load loses no call that was sent on a connection that was there', async () => {
  const run = startAgain()
  const url = await run.prints(RUNNING)
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 40 })
  const failures = new Map<string, number>()
  let answered = 0
  let stopping = false
  const call = () =>
    new Promise<boolean>((done) => {
      const failed = (error: NodeJS.ErrnoException) => {
        failures.set(error.code ?? '', (failures.get(error.code ?? '') ?? 0) + 1)
        done(false)
      }
      get({ hostname, port, path: '/readyz', agent }, (answer) => {
        answer
          .on('error', failed)
          .on('end', () => done(true))
          .resume()
        answered += 1
      }).once('error', failed)
    })
  const client = async () => {
    while (await call())
      if (answered > 1_000 && !stopping) {
        stopping = true
        run.child.kill('SIGTERM')
      }
  }
  await Promise.all(Array.from({ length: 40 }, client))
  agent.destroy()
  expect(await run.exit).toBe(0)
  expect([...failures.keys()]).toEqual(['ECONNREFUSED'])
})

test('a second start on the same folder is refused, and the first goes on', async () => {
  const first = startAgain()
  const url = await first.prints(RUNNING)
  await expectRefusal(start(), /in use by another Parley/)
  expect((await fetch(`${url}/api/nothing`)).status).toBe(404)
})

long('of two first starts at once on a folder one runs', async () => {
  const runs = [start(), start()]
  const results = await Promise.all(
    runs.map((run) =>
      run.prints(RUNNING).then(
        () => 'runs',
        () => 'refused',
      ),
    ),
  )
  expect(results.sort()).toEqual(['refused', 'runs'])
  const refused = runs.find((run) => !RUNNING.test(run.output())) as Run
  await expectRefusal(refused, /in use by another Parley/)
})

test('a database that ends by itself stops the server with a reason', async () => {
  const run = startAgain()
  await run.prints(RUNNING)
  process.kill(await databasePid(), 'SIGKILL')
  expect(await run.exit).toBe(1)
  expect(run.output()).toContain('Parley stops: its database ended.')
})

long(
  'a data folder that is removed under the server stops it with one line that says so, without a stack for each connection',
  async () => {
    const run = startAgain()
    const url = await run.prints(RUNNING)
    await run.prints(/owner's account: (\S+)\n/)
    await Promise.all(Array.from({ length: 8 }, () => fetch(`${url}/readyz`)))
    const database = await databasePid()
    const before = run.output()
    // the server is still writing there
    await rm(folder, { recursive: true, maxRetries: 10 })
    // it checks its folder once a minute, and ends
    if (isAlive(database)) process.kill(database, 'SIGQUIT')
    expect(await run.exit).toBe(1)
    const lines = run.output().slice(before.length).trim().split('\n')
    const log = lines.filter((line) => line.startsWith('{'))
    expect(lines.filter((line) => !log.includes(line))).toEqual([
      expect.stringMatching(/^Parley stops: its database ended\. The data folder \S+ is gone: /),
    ])
    // each connection that breaks is a part of the one incident, which may begin with one
    expect(log.filter((line) => line.includes('"msg":"a connection to the database broke"'))).toEqual([])
    expect(log.filter((line) => line.includes('"msg":"the database can not be used"')).length).toBeLessThanOrEqual(1)
  },
)

long('a port in use is named, and no database stays behind', async () => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await expectRefusal(start({ PORT: String(port) }), new RegExp(`Port ${port} of 127.0.0.1 is in use: .* set PORT`))
  expect(await readPid()).toBeNull()
  other.close()
})

// what is wrong with a setting is told by config.test.ts as well, in less time
test('a port that is no number is refused', async () => {
  await expectRefusal(start({ PORT: 'http' }), /PORT is "http": give a number/)
})

long.each([
  [{ HOST: '203.0.113.7' }, /HOST is "203.0.113.7", which is no address of this machine/],
  [{ DATABASE_URL: 'mysql://here' }, /DATABASE_URL is "mysql:\/\/here": give postgresql:/],
  [{ DATABASE_URL: 'postgresql://me:secret@nowhere.invalid/parley' }, /me:…@nowhere.invalid.* host is unknown/],
])('%j is refused', async (env, reason) => {
  await expectRefusal(start(env), reason)
})

long('a DATABASE_URL where nobody listens is refused', async () => {
  const url = `postgresql://127.0.0.1:${await freePort()}/parley`
  await expectRefusal(start({ DATABASE_URL: url }), /no server listens there/)
})

long('a data folder that is a file is refused', async () => {
  await writeFile(join(folder, 'file'), '')
  await expectRefusal(start({ DATA_DIR: join(folder, 'file') }), /file is a file: set DATA_DIR/)
})

test('an old Node is told which one is needed', async () => {
  const older = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"18.20.0"}})'
  const child = spawn(process.execPath, ['--import', older, join(serverBuild.root, 'server/cli/start.mjs')], {
    stdio: 'pipe',
  })
  let text = ''
  child.stderr.on('data', (chunk) => {
    text += chunk
  })
  expect((await once(child, 'close'))[0]).toBe(1)
  expect(text).toMatch(/^Parley can't start: it needs Node 20.19 or newer, and this is Node 18.20.0[^\n]*\n$/)
})

describe.runIf(isRoot)('with the accounts that only root can take', () => {
  test('an ordinary user starts it too', async () => {
    await chown(folder, DAEMON.uid, DAEMON.gid)
    const run = start({}, DAEMON)
    await run.prints(RUNNING)
    expect(await end(run.child, 'SIGTERM')).toBe(0)
  })

  long('a user without a name is told why that does not work', async () => {
    await chown(folder, 54321, 54321)
    await expectRefusal(start({}, { uid: 54321, gid: 54321 }), /uid 54321 has none/)
  })

  long('a data folder that may not be written is refused', async () => {
    await expectRefusal(start({}, DAEMON), /can't be written: .* set DATA_DIR/)
  })

  test.runIf(canMount && FULL)('a full disk is named, at the first start and at a later one', async () => {
    const disk = join(folder, 'disk')
    await mkdir(disk)
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=20m,mode=755', 'tmpfs', disk])
    try {
      await expectRefusal(start({ DATA_DIR: disk }), /disk that holds .* is full: free some space/)
      spawnSync('mount', ['-o', 'remount,size=90m', disk])
      const run = start({ DATA_DIR: disk })
      await run.prints(RUNNING)
      await end(run.child, 'SIGTERM')
      await writeFile(join(disk, 'fill'), Buffer.alloc(90 << 20)).catch(() => {})
      await expectRefusal(start({ DATA_DIR: disk }), /disk that holds .* is full: free some space/)
    } finally {
      spawnSync('umount', [disk])
    }
  })

  long('below a folder that is closed to others the data lies elsewhere, and that is said', async () => {
    await mkdir(join(folder, 'home/data'), { recursive: true })
    await chmod(join(folder, 'home'), 0o700)
    const run = start({ DATA_DIR: join(folder, 'home/data') })
    await run.prints(RUNNING)
    const [chosen] = /\/var\/lib\/parley\/\S+/.exec(run.output()) ?? []
    expect(await end(run.child, 'SIGTERM')).toBe(0)
    await rm(chosen ?? '', { recursive: true })
  })
})

async function query(statement: string): Promise<{ note: string }[]> {
  const [, , , port, socket] = (await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  const client = new pg.Client({ host: socket?.trim(), port: Number(port), user: 'parley', database: 'parley' })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}

async function write(note: string): Promise<void> {
  await query('CREATE TABLE IF NOT EXISTS notes (note text)')
  await query(`INSERT INTO notes VALUES ('${note}')`)
}

async function read(): Promise<string[]> {
  return (await query('SELECT note FROM notes')).map((row) => row.note)
}
