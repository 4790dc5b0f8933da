import type { FileStore, UsedFiles } from '../files'
import { createStaging, type FileSettings } from '../staging'
import type { Bucket, Listed } from './createBucket'

/** Keys: `files/<area>/<hash>`, and in the trash since their last change `trash/<area>/<hash>`. */
const FILES = 'files/'
const TRASH = 'trash/'
/** Files per query, and calls at once. */
const BATCH = 500
const AT_ONCE = 8

/** A store in a bucket. @param incoming the folder of this machine where uploads arrive */
export function createBucketStore(bucket: Bucket, incoming: string, settings: FileSettings): FileStore {
  const staging = createStaging(incoming, settings)
  const keyOf = (area: string, sha256: string) => `${FILES}${area}/${sha256}`
  const trashOf = (area: string, sha256: string) => `${TRASH}${area}/${sha256}`

  /** The caller has a row that references it: a restored database may reference files that were trashed since. */
  async function takeBack(area: string, sha256: string): Promise<boolean> {
    if (!(await bucket.copy(trashOf(area, sha256), keyOf(area, sha256)))) return false
    await bucket.remove(trashOf(area, sha256))
    return true
  }

  return {
    put: (area, bytes, kind) =>
      staging.during(bytes, kind, async ({ path, ...stored }) => {
        await bucket.putFile(keyOf(area, stored.sha256), { path, ...stored })
        return stored
      }),
    async read(area, sha256, range) {
      const key = keyOf(area, sha256)
      return (await bucket.read(key, range)) ?? ((await takeBack(area, sha256)) ? bucket.read(key, range) : null)
    },
    async link(area, sha256, shown) {
      const key = keyOf(area, sha256)
      const link = await bucket.link(key, shown)
      if (link === null) return null
      return (await bucket.changed(key)) || (await takeBack(area, sha256)) ? link : null
    },
    async copy(area, sha256, to) {
      const copied = await bucket.copy(keyOf(area, sha256), keyOf(to, sha256))
      return copied || ((await takeBack(area, sha256)) && bucket.copy(keyOf(area, sha256), keyOf(to, sha256)))
    },
    async removeArea(area) {
      await forEach(bucket.list(keyOf(area, '')), ({ key }) => bucket.remove(key))
    },
    async remove(area, names, before) {
      for (const name of names) {
        const changed = await bucket.changed(keyOf(area, name))
        if (changed && changed < before) await bucket.remove(keyOf(area, name))
      }
    },
    async discardUnused({ before }, used) {
      for await (const { area, name, changed, kept } of marked(bucket.list(FILES), used)) {
        if (kept || changed >= before) continue
        if (await bucket.copy(keyOf(area, name), trashOf(area, name))) await bucket.remove(keyOf(area, name))
      }
    },
    async tidyTrash(before, used) {
      for await (const { area, name, changed, kept } of marked(bucket.list(TRASH), used)) {
        if (kept) await takeBack(area, name)
        else if (changed < before) await bucket.remove(trashOf(area, name))
      }
    },
    async *list() {
      for await (const { key, bytes } of bucket.list(FILES)) yield { ...placeOf(key), bytes }
    },
    installation: () => bucket.getText(BUCKET_NAME).then((text) => text?.trim() || null),
    sweep: staging.sweep,
  }
}

/** The object that names the installation whose files these are. */
export const BUCKET_NAME = 'installation-id'

const placeOf = (key: string) => {
  const [, area = '', sha256 = ''] = key.split('/')
  return { area, sha256 }
}

async function forEach(listed: AsyncIterable<Listed>, work: (object: Listed) => Promise<unknown>): Promise<void> {
  let some: Promise<unknown>[] = []
  for await (const object of listed) {
    some.push(work(object))
    if (some.length < AT_ONCE) continue
    await Promise.all(some)
    some = []
  }
  await Promise.all(some)
}

/** Objects, each with whether it is referenced; queried in batches of an area. */
async function* marked(listed: AsyncIterable<Listed>, used: UsedFiles) {
  let batch: { area: string; name: string; changed: Date }[] = []
  async function* flush() {
    const area = batch[0]?.area
    if (area === undefined) return
    const kept = new Set(
      await used(
        area,
        batch.map(({ name }) => name),
      ),
    )
    for (const each of batch) yield { ...each, kept: kept.has(each.name) }
    batch = []
  }
  for await (const { key, changed } of listed) {
    const { area, sha256: name } = placeOf(key)
    if (batch.length >= BATCH || (batch[0] && batch[0].area !== area)) yield* flush()
    batch.push({ area, name, changed })
  }
  yield* flush()
}
