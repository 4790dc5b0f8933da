import { join } from 'node:path'
import type { Config } from '../config/config'
import { createBucket } from './bucket/createBucket'
import { BUCKET_NAME, createBucketStore } from './bucket/createBucketStore'
import { createFileStore, type FileStore } from './files'
import { type FilesPlace, folderPlace } from './place'

type Settings = Pick<Config, 'dataDir' | 'freeSpace' | 'bucket'>

/** The store of the settings: a bucket if one is named, else the folder `files` of `DATA_DIR`. */
export function openFiles({ dataDir, freeSpace, bucket, scan }: Settings & Partial<Pick<Config, 'scan'>>): FileStore {
  const folder = join(dataDir, 'files')
  const settings = { free: freeSpace, ...(scan && { scan }) }
  return bucket
    ? createBucketStore(createBucket(bucket), join(folder, 'incoming'), settings)
    : createFileStore(folder, settings)
}

/** Where the files of the settings lie, to be bound to a database. */
export function placeOfFiles({ dataDir, bucket: settings }: Omit<Settings, 'freeSpace'>): FilesPlace {
  if (!settings) return folderPlace(join(dataDir, 'files'))
  const bucket = createBucket(settings)
  return {
    name: `the bucket ${settings.bucket}`,
    read: () => bucket.getText(BUCKET_NAME).then((text) => text?.trim() || null),
    write: async (id, replace) =>
      (await bucket.putText(BUCKET_NAME, `${id}\n`, { alone: !replace })) ||
      (await bucket.getText(BUCKET_NAME))?.trim() === id,
    holdsFiles: async () => !(await bucket.list('files/').next()).done,
  }
}
