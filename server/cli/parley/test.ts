import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { registry } from '../../../blocks/registry'
import type { Difference } from '../../../engine/run/recordingCompare'
import { coverageOf } from '../../../engine/run/recordingCoverage'
import { parseRecordings, serialiseRecordings } from '../../../engine/run/recordingFormat'
import { differenceSides, type PlaceNames, placeNames } from '../../../engine/run/recordingPlaces'
import { replayRecording } from '../../../engine/run/recordingReplay'
import { differenceTitles } from '../../../engine/run/recordingWords'
import { CliError } from './cliError'
import { chatbotOf, naming, programOf, readFlow, readText, writeText } from './flowFiles'
import { readOptions } from './options'

/** Replays kept conversations against a flow. */
export async function testCommand(args: string[]): Promise<number> {
  const options = { json: { type: 'boolean' }, uncovered: { type: 'boolean' }, update: { type: 'boolean' } } as const
  const { values, files } = readOptions('test', args, options, { least: 2, most: 1_000 })
  const [flowFile, ...given] = files
  const flows = chatbotOf(await readFlow(flowFile))
  const program = await programOf(flows)
  const tests = (await Promise.all((await recordingFiles(given)).map(readRecordings))).flat()
  const results = tests.map((test) => ({ ...test, ...replayRecording(program, test.recording) }))
  const coverage = coverageOf(
    flows,
    registry,
    results.map(({ present }) => present),
  )
  const changed = results.filter(({ differences }) => differences.some(Boolean))
  if (values.update) await update(results)
  const names = placeNames(flows, registry)
  if (values.json) {
    const shown = results.map(({ file, recording, differences }) => ({ file, name: recording.name, differences }))
    process.stdout.write(`${JSON.stringify({ results: shown, coverage }, null, 2)}\n`)
  } else {
    for (const { recording, differences } of results) {
      const turn = differences.findIndex(Boolean)
      const first = differences[turn]
      if (!first) process.stdout.write(`ok       ${recording.name}\n`)
      else process.stdout.write(`changed  ${recording.name}\n${differenceLines(first, turn, names)}`)
    }
    const share = ({ reached, total }: { reached: number; total: number }) => `${reached} of ${total}`
    if (values.uncovered) {
      for (const place of coverage.unreached) process.stdout.write(`not reached: ${names(place)}\n`)
    }
    process.stdout.write(
      `${results.length - changed.length} ok, ${changed.length} changed${values.update && changed.length > 0 ? ', now kept as they are' : ''}; ` +
        `groups reached ${share(coverage.groups)}, ways out ${share(coverage.ports)}\n`,
    )
  }
  return changed.length > 0 && !values.update ? 1 : 0
}

type Read = { file: string; recording: ReturnType<typeof parseRecordings>[number] }

async function readRecordings(file: string): Promise<Read[]> {
  const text = await readText(file)
  return naming(file, () => parseRecordings(text)).map((recording) => ({ file, recording }))
}

/** A folder means the JSON files in it. */
async function recordingFiles(paths: string[]): Promise<string[]> {
  const lists = await Promise.all(
    paths.map(async (path) => {
      const isFolder = await stat(path).then(
        (found) => found.isDirectory(),
        () => false,
      )
      if (!isFolder) return [path]
      const names = (await readdir(path)).filter((name) => name.endsWith('.json')).sort()
      if (names.length === 0) throw new CliError(`The folder ${path} holds no tests: "parley run --keep" makes them.`)
      return names.map((name) => join(path, name))
    }),
  )
  return lists.flat()
}

async function update(results: (Read & Pick<ReturnType<typeof replayRecording>, 'present' | 'differences'>)[]) {
  for (const file of new Set(results.map((result) => result.file))) {
    const own = results.filter((result) => result.file === file)
    if (own.some(({ differences }) => differences.some(Boolean)))
      await writeText(file, serialiseRecordings(own.map(({ present }) => present)))
  }
}

function differenceLines(difference: Difference, turn: number, names: PlaceNames) {
  const { type, place } = difference
  const title = `         turn ${turn + 1}${place ? `, ${names(place)}` : ''}: ${differenceTitles[type]}\n`
  const [before, now] = differenceSides(difference, names).map((side) => side.replaceAll('\n', `\n${' '.repeat(20)}`))
  return type === 'unreached' ? title : `${title}           expected ${before}\n           now      ${now}\n`
}
