import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { bomb, frames, photo, picture } from '../../../../tests/support/pictures'
import { createFileStore } from '../files'
import { AVATAR_SIDE, cleanPicture, MOST_PIXELS, PICTURE_SIDE, type PictureType } from './cleanPicture'

const look = (bytes: Uint8Array) => sharp(bytes, { animated: true }).metadata()

test.each(['jpeg', 'png', 'webp', 'avif'] as const)(
  'a photo as %s is upright, and says nothing of where and by what it was taken',
  async (format) => {
    const given = await photo(format)
    const before = await look(given)
    expect(before.exif).toBeDefined()
    const clean = await cleanPicture(given, `image/${format}`)
    const after = await look(clean)
    expect([after.mediaType, after.width, after.height]).toEqual([`image/${format}`, 20, 40])
    expect([after.exif, after.xmp, after.iptc, after.icc, after.orientation, after.comments]).toEqual(
      Array(6).fill(undefined),
    )
    for (const word of ['Secret', 'secret', 'GPS', 'Exif']) expect(clean.includes(word), word).toBe(false)
  },
)

test.each(['gif', 'webp'] as const)('the frames of a %s stay, with their times', async (format) => {
  const { pages, delay, loop, pageHeight } = await look(await cleanPicture(await frames(format, 3), `image/${format}`))
  expect({ pages, delay, loop, pageHeight }).toEqual({ pages: 3, delay: [100, 100, 100], loop: 3, pageHeight: 20 })
})

test('a GIF keeps its frames byte for byte, and loses what is written beside them', async () => {
  const plain = await frames('gif', 2)
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 6]), Buffer.from('secret'), Buffer.from([0])])
  const xmp = Buffer.concat([
    Buffer.from([0x21, 0xff, 11]),
    Buffer.from('XMP DataXMP'),
    Buffer.from([3]),
    Buffer.from('gps'),
    Buffer.from([0]),
  ])
  // before the end, and behind it
  const given = Buffer.concat([plain.subarray(0, -1), comment, xmp, plain.subarray(-1), Buffer.from('behind')])
  expect(await cleanPicture(given, 'image/gif')).toEqual(plain)
})

test('a picture is made as small as it is shown, and never larger', async () => {
  const sides = async (width: number, height: number, side?: number) => {
    const { width: w, height: h } = await look(
      await cleanPicture(await picture('png', { width, height }), 'image/png', side),
    )
    return [w, h]
  }
  expect(await sides(5_000, 1_000)).toEqual([PICTURE_SIDE, 512])
  expect(await sides(600, 1_200, AVATAR_SIDE)).toEqual([256, AVATAR_SIDE])
  expect(await sides(30, 10)).toEqual([30, 10])
  const wide = await cleanPicture(await frames('gif', 2, 600), 'image/gif', AVATAR_SIDE)
  expect(await look(wide)).toMatchObject({ width: AVATAR_SIDE, pageHeight: AVATAR_SIDE, pages: 2 })
})

test('a few bytes that say they are millions of pixels are refused before they are decoded', async () => {
  const small = bomb(12_000)
  expect(small.length).toBeLessThan(100_000)
  await expect(cleanPicture(small, 'image/png')).rejects.toMatchObject({
    code: 'too_large',
    message: `This picture has more than ${MOST_PIXELS / 1_000_000} million pixels. Make it smaller, and upload it again.`,
  })
})

const cut = async (format: 'png' | 'jpeg' | 'webp' | 'avif') => {
  const whole = await picture(format, { width: 300, height: 300, colour: 77 })
  return whole.subarray(0, Math.floor(whole.length * 0.6))
}
test.each<[string, PictureType, () => Promise<Buffer>]>([
  ['a PNG that ends early', 'image/png', () => cut('png')],
  ['a JPEG that ends early', 'image/jpeg', () => cut('jpeg')],
  ['a WebP that ends early', 'image/webp', () => cut('webp')],
  ['an AVIF that ends early', 'image/avif', () => cut('avif')],
  ['a GIF that ends early', 'image/gif', async () => (await frames('gif', 2)).subarray(0, -8)],
  ['a PNG by its first bytes alone', 'image/png', async () => Buffer.from('\x89PNG\r\n\x1a\nno picture', 'latin1')],
  ['a JPEG in the place of a PNG', 'image/png', () => picture('jpeg')],
  ['a drawing', 'image/png', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  [
    'a TIFF',
    'image/jpeg',
    () =>
      sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
        .tiff()
        .toBuffer(),
  ],
])('%s is refused, with what to do about it', async (_, type, make) => {
  await expect(cleanPicture(await make(), type)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(
      /^This picture is damaged or incomplete\. Open it .* save it anew and upload that\.$/,
    ),
  })
})

test('more pictures at once than may wait are refused; after those before, one is taken again', async () => {
  const one = await picture()
  const all = await Promise.allSettled(Array.from({ length: 40 }, async () => cleanPicture(one, 'image/png')))
  const refused = all.filter((result) => result.status === 'rejected')
  expect([refused.length, refused[0]?.reason]).toMatchObject([10, { code: 'overloaded' }])
  expect(await cleanPicture(one, 'image/png')).toBeInstanceOf(Buffer)
})

test('the store has the clean picture alone, under the name of its bytes; of one that is refused nothing', async () => {
  const root = await mkdtemp(join(tmpdir(), 'parley-pictures-'))
  const store = createFileStore(root)
  async function* bytes(given: Uint8Array) {
    yield given
  }
  const given = await photo('jpeg')
  const { sha256, bytes: size } = await store.put('1', bytes(given), { type: 'image/jpeg' })
  const stored = await buffer((await store.read('1', sha256)) as never)
  expect([stored.length, stored.includes('Exif')]).toEqual([size, false])
  await expect(store.put('1', bytes(given.subarray(0, 400)), { type: 'image/jpeg' })).rejects.toMatchObject({
    code: 'invalid',
  })
  // of another type the bytes stay as they are
  await writeFile(join(root, 'given'), given)
  expect((await store.put('1', bytes(given), { type: 'application/octet-stream' })).bytes).toBe(given.length)
  expect(await readdir(join(root, 'incoming'))).toEqual([])
  await rm(root, { recursive: true })
})
