// `npm run release-notes -- [--from TAG] [--key FILE] [--out FOLDER]`: writes the notes of a release and its
// bill of materials, and signs the notes with a key of OpenSSH (`ssh-keygen -t ed25519 -f FILE`).
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { root } from './sources.mjs'

/** What a signature is for: one of these notes is valid for nothing else. */
export const NAMESPACE = 'parley-release'

const options = {
  from: { type: 'string' },
  key: { type: 'string' },
  out: { type: 'string', default: join(root, 'build/release') },
}

/**
 * The notes: what each commit since the last release changed, newest first, and the sha256 of the bill of materials.
 * @param release `version`; `commit`, its id; `subjects`, first lines of commits; `sbom`, the bill's bytes
 */
export function notesOf({ version, commit, from, subjects, sbom }) {
  const sum = createHash('sha256').update(sbom).digest('hex')
  return [
    `# Parley ${version}`,
    '',
    `Commit ${commit}. ${from ? `Changes since ${from}:` : 'All changes:'}`,
    '',
    ...subjects.map((subject) => `- ${subject}`),
    '',
    `Bill of materials: sbom.json, sha256 ${sum}`,
    '',
  ].join('\n')
}

/**
 * Writes RELEASE.md and sbom.json of what is checked out, and RELEASE.md.sig where a key is given.
 * @returns the folder
 * @throws where git, npm or ssh-keygen fail, with what they said
 */
export function writeRelease({ from, key, out }) {
  const run = (program, ...args) => execFileSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }).trim()
  const git = (...args) => run('git', ...args)
  const commit = git('rev-parse', 'HEAD')
  // a name that begins with a dash would be an option of git's
  const since = from ?? latestTagBefore(git, commit)
  const range = since ? `${git('rev-parse', '--verify', '--end-of-options', `${since}^{commit}`)}..${commit}` : commit
  const { version } = JSON.parse(git('show', `${commit}:package.json`))
  const sbom = run('npm', 'run', '--silent', 'sbom')
  const subjects = git('log', '--no-merges', '--format=%s', range).split('\n').filter(Boolean)

  const folder = resolve(out)
  mkdirSync(folder, { recursive: true })
  const notes = join(folder, 'RELEASE.md')
  writeFileSync(join(folder, 'sbom.json'), sbom)
  writeFileSync(
    notes,
    notesOf({ version, commit, from: since, subjects, sbom: readFileSync(join(folder, 'sbom.json')) }),
  )
  if (key) sign(notes, resolve(key))
  return folder
}

/** Signs a file: its signature is beside it, with `.sig`. An earlier one is replaced. */
export function sign(file, key) {
  const signature = execFileSync('ssh-keygen', ['-Y', 'sign', '-n', NAMESPACE, '-f', key], {
    input: readFileSync(file),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  writeFileSync(`${file}.sig`, signature)
}

function latestTagBefore(git, commit) {
  try {
    return git('describe', '--tags', '--abbrev=0', `${commit}^`)
  } catch {
    // the first release
    return null
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log(writeRelease(parseArgs({ options }).values))
