import { execFile, execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Whether Git is on this machine. */
export const hasGit = (() => {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

export interface GitRepository {
  url: string
  /** calls of the server since the last look */
  calls: { path: string; authorization: string | undefined }[]
  /** makes a commit of files; null deletes one */
  commit(files: Readonly<Record<string, string | null>>): Promise<void>
  git(...args: string[]): Promise<void>
  /** who may read it; null: everybody */
  authorization: string | null
  close(): Promise<void>
}

const OWN = {
  ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' },
  ...{ GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' },
  ...{ GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' },
}

/** Starts Git's own server (`git http-backend`) with one repository. */
export async function startGitServer(): Promise<GitRepository> {
  const root = await mkdtemp(join(tmpdir(), 'parley-git-'))
  const folder = join(root, 'docs.git')
  await mkdir(folder)
  const git = async (...args: string[]) => {
    await run('git', args, { cwd: folder, env: { ...process.env, ...OWN } })
  }
  await git('init', '-q', '-b', 'main')
  const calls: GitRepository['calls'] = []
  const server = createServer((request, response) => {
    calls.push({ path: request.url ?? '', authorization: request.headers.authorization })
    if (repository.authorization !== null && request.headers.authorization !== repository.authorization) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    answer(root, request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const repository: GitRepository = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs.git`,
    calls,
    authorization: null,
    git,
    async commit(files) {
      for (const [path, text] of Object.entries(files)) {
        if (text === null) await rm(join(folder, path))
        else {
          await mkdir(dirname(join(folder, path)), { recursive: true })
          await writeFile(join(folder, path), text)
        }
      }
      await git('add', '-A')
      await git('commit', '-q', '-m', 'Change')
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      await rm(root, { recursive: true, force: true })
    },
  }
  return repository
}

/** Has Git's program answer a call, as a web server would (CGI). */
function answer(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '', 'http://localhost')
  const env = {
    ...{ ...process.env, ...OWN, GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1' },
    ...{ PATH_INFO: pathname.replace('/docs.git', '/docs.git/.git'), QUERY_STRING: search.slice(1) },
    ...{ REQUEST_METHOD: request.method, CONTENT_TYPE: request.headers['content-type'] ?? '' },
    GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
  }
  const child = spawn('git', ['http-backend'], { env })
  child.stdin.on('error', () => undefined)
  request.pipe(child.stdin)
  const parts: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => parts.push(part))
  child.on('close', () => {
    const whole = Buffer.concat(parts)
    const end = whole.indexOf('\r\n\r\n')
    const headers = whole.toString('latin1', 0, end).split('\r\n')
    let status = 200
    for (const line of headers) {
      const [name = '', value = ''] = line.split(/: ?/, 2)
      if (name === 'Status') status = Number.parseInt(value, 10)
      else response.setHeader(name, value)
    }
    response.writeHead(status).end(whole.subarray(end + 4))
  })
}
