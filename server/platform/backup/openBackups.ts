import { join, resolve } from 'node:path'
import type { BackupSettings } from '../config/backupSettings'
import { StartError } from '../database/startError'
import { createBucket } from '../files/bucket/createBucket'
import type { BackupPlace } from './backupPlace'
import { bucketBackups } from './bucketBackups'
import { makeBackup } from './makeBackup'
import { backupsIn, readManifest } from './manifest'

const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9_/-]{0,200}))?$/

/**
 * @param to a folder, or `s3://<bucket>/<prefix>`
 * @throws StartError for an address that can't be understood, or a bucket without keys
 */
export function openBackups(to: string, service: BackupSettings['service']): BackupPlace {
  if (!to.startsWith('s3:')) return folderBackups(resolve(to))
  const [, bucket, prefix = ''] = ADDRESS.exec(to) ?? []
  if (!bucket) throw new StartError(`${to} is no place in a bucket: give it as s3://bucket/prefix`)
  if (!service)
    throw new StartError(
      `${to} needs BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY, the keys of an account that may use the bucket`,
    )
  const path = prefix.replace(/^\/+|\/+$/g, '')
  return bucketBackups(to, createBucket({ ...service, bucket, prefix: path && `${path}/`, browserUrl: null }))
}

function folderBackups(into: string): BackupPlace {
  return {
    name: into,
    make: (given) => makeBackup({ ...given, into }),
    async list() {
      const names = await backupsIn(into)
      return Promise.all(names.map(async (name) => ({ name, manifest: await readManifest(join(into, name)) })))
    },
    // it may be named by its path, too
    during: (name, _scratch, work) => work(/[/\\]/.test(name) ? resolve(name) : join(into, name)),
  }
}
