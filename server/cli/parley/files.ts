import { join } from 'node:path'
import { parseConfig } from '../../platform/config/config'
import { createFileStore } from '../../platform/files/files'
import { moveFiles } from '../../platform/files/moveFiles'
import { openFiles, placeOfFiles } from '../../platform/files/openFiles'
import { folderPlace } from '../../platform/files/place'
import { CliError } from './cliError'
import { readOptions } from './options'
import { usages } from './usage'

/** Progress is told after so many files. */
const EVERY = 100

/** `parley files move`: copies uploaded files from the folder to the bucket, or back. */
export async function filesCommand(args: string[]): Promise<number> {
  const { values, files } = readOptions('files', args, { back: { type: 'boolean' } }, { least: 0, most: 1 })
  if (files[0] !== 'move') throw new CliError(usages.files)
  const { dataDir, freeSpace, bucket } = parseConfig(process.env)
  if (!bucket) throw new CliError(`S3_BUCKET is not set: it names the bucket, with its keys.\n\n${usages.files}`)
  const folder = {
    store: createFileStore(join(dataDir, 'files'), { free: freeSpace }),
    place: folderPlace(join(dataDir, 'files')),
  }
  const inBucket = { store: openFiles({ dataDir, freeSpace, bucket }), place: placeOfFiles({ dataDir, bucket }) }
  const [from, to] = values.back ? [inBucket, folder] : [folder, inBucket]

  const id = await from.place.read()
  if (id === null) throw new CliError(`${from.place.name} holds no files of Parley.`)
  const bound = await to.place.read()
  if (bound === null ? await to.place.holdsFiles() : bound !== id)
    throw new CliError(
      `${to.place.name} holds the files of another installation: choose another one, or set S3_PREFIX.`,
    )
  if (bound === null) await to.place.write(id, false)
  const {
    files: count,
    bytes,
    before,
  } = await moveFiles(from.store, to.store, (moved) => {
    if ((moved.files + moved.before) % EVERY === 0) print(`${moved.files + moved.before} files …`)
  })
  print(
    `${count} ${count === 1 ? 'file' : 'files'} of ${(bytes / 1e6).toFixed(1)} MB copied to ${to.place.name}; ${before} were there before.`,
  )
  print(
    values.back
      ? 'Start Parley without the settings of S3, then do this again for what came meanwhile.'
      : 'Start Parley with these settings, then do this again for what came meanwhile. The folder is left as it is: delete it when you no longer need it.',
  )
  return 0
}

const print = (line: string) => void process.stdout.write(`${line}\n`)
