import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleForNode } from '../../../../tests/support/bundle'
import { linesOf, writePdf } from '../../../../tests/support/pdf'
import { hasShared, readShared } from '../../../../tests/support/shared'
import { createThreads } from '../../../platform/workers/createThreads'
import { chunkMarkdown } from '../chunks/chunkMarkdown'
import { extractPdf } from './extractPdf'
import { createDocumentReader, documentLimits } from './readDocument'
import { reorder } from './rightToLeft'

/** A unique word for a number. */
const wordOf = (number: number): string => [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
const never = new AbortController().signal
const read = (pdf: Buffer) => extractPdf(new Uint8Array(pdf))
async function markdownOf(pdf: Buffer): Promise<string> {
  const text = await read(pdf)
  if ('failed' in text) throw new Error(text.failed)
  return text.markdown
}

test('paragraphs lose the ends of their lines, parted words are put together, large letters become headings', async () => {
  const pdf = writePdf([
    [
      { text: 'Returns', x: 50, y: 760, size: 20 },
      ...linesOf(['Send the parcel back with-', 'in thirty days of deliv-', 'ery. Money comes later.'], { top: 720 }),
      ...linesOf(['A new paragraph.'], { top: 660 }),
      ...linesOf(['• one', '• two'], { top: 630 }),
    ],
  ])
  expect(await markdownOf(pdf)).toBe(
    '<!-- page 1 -->\n\n# Returns\n\nSend the parcel back within thirty days of delivery. Money comes later.\n\nA new paragraph.\n\n- one\n- two',
  )
})

test('what stands at the edge of most pages is left out, whatever page number it has', async () => {
  const pages = Array.from({ length: 6 }, (_, at) => [
    { text: 'Acme handbook', x: 50, y: 780 },
    ...linesOf([`Chapter text number ${'abcdef'[at]} is here.`, 'It goes on and', 'ends.'], { top: 700 }),
    { text: `Page ${at + 1} of 6`, x: 50, y: 20 },
  ])
  const markdown = await markdownOf(writePdf(pages))
  expect(markdown).not.toMatch(/Acme|of 6/)
  expect(markdown.match(/Chapter text number/g)).toHaveLength(6)
})

test('a citation of a document names its page', async () => {
  const pdf = writePdf([linesOf(['The first page.']), linesOf(['The second page.'])])
  expect(chunkMarkdown(await markdownOf(pdf), 'Manual')).toEqual([
    { heading: 'Manual › Page 1', body: 'The first page.' },
    { heading: 'Manual › Page 2', body: 'The second page.' },
  ])
})

test.each([
  ['退货须在三十天内寄回。', { name: 'UniGB-UCS2-H', ordering: 'GB1' }],
  ['返品は三十日以内にお願いします。', { name: 'UniJIS-UCS2-H', ordering: 'Japan1' }],
] as const)('%s is read where the PDF neither brings its font nor says what its letters are', async (text, map) => {
  expect(await markdownOf(writePdf([linesOf([text])], { map }))).toContain(text)
})

test('Chinese lines are joined without spaces', async () => {
  expect(await markdownOf(writePdf([linesOf(['退货须在三十天内', '寄回我们的仓库。'])]))).toContain(
    '退货须在三十天内寄回我们的仓库。',
  )
})

test('ligatures of Arabic are parted into their letters in the order in which they are read', async () => {
  // as fonts draw it, from left to right: two shapes of lam with alef, each one glyph
  const drawn = [...'\ufe8d\ufef7\ufeb3\ufecc\ufe8e\ufead \ufefb \ufe97\ufeb8\ufee4\ufede'].reverse().join('')
  expect(await markdownOf(writePdf([linesOf([drawn])]))).toContain('الأسعار لا تشمل')
})

test.each([
  ['בדיקה של טקסט בעברית (סוגריים) עם 123 מספרים, ועם English words בתוך השורה.'],
  ['يجب إرجاع المنتج خلال 30 يوماً من الشراء، بنسبة 45% على الأكثر.'],
  ['في عام 1922-26 (نص) وكذلك 24-10 و «اقتباس» من Michael Jordan هنا.'],
])('words from right to left are read in their order: %s', async (sentence) => {
  // a page stores characters by position, from left to right
  const markdown = await markdownOf(writePdf([linesOf([reorder(sentence, true, true)])]))
  expect(markdown.split('\n').at(-1)).toBe(sentence)
})

test('a word from right to left in a line from left to right keeps its place', () => {
  const line = 'The word שלום עולם means peace'
  expect(reorder(reorder(line, false), false)).toBe(line)
  expect(reorder('The word םלוע םולש means peace', false)).toBe(line)
})

test.each([
  ['scanned', writePdf([[], []]), /has no text: its pages are pictures.*OCR/],
  ['locked', writePdf([linesOf(['secret'])], { locked: true }), /protected by a password. Remove the password/],
  ['self-drawing', writePdf([linesOf(['Please wait...'])], { xfa: true }), /XFA.*print it to a PDF/],
  ['damaged', Buffer.from('%PDF-1.7\nnothing of what follows is one'), /damaged/],
  ['cut off', writePdf([linesOf(['one'])]).subarray(0, 60), /damaged/],
  [
    'without letters that mean something',
    writePdf([linesOf(['abc'])], { unicode: false }),
    /can’t be told from their shapes/,
  ],
])('a %s document says what is wrong with it and what helps', async (_, pdf, reason) => {
  expect(await read(pdf)).toMatchObject({ failed: expect.stringMatching(reason) })
})

test('a document of which a part was scanned says how much is missing', async () => {
  const pdf = writePdf([linesOf(['One page of text.']), [], [], linesOf(['Another.']), []])
  expect(await read(pdf)).toMatchObject({
    pages: 5,
    note: expect.stringContaining('3 of 5 pages have no text (2–3, 5)'),
  })
})

test('what is filled into a form comes after the text of its page; passwords and empty fields don’t', async () => {
  const fields = [
    { name: 'form.first_name[0]', value: 'Ada' },
    { name: 'x1', label: 'Where do you live?', value: 'Harbour\nStreet 5' },
    { name: 'member', label: 'I am a member:', value: true },
    { name: 'news', label: 'Send me news', value: false },
    { name: 'empty', value: '' },
    { name: 'secret', value: 'swordfish', password: true },
  ]
  expect(await markdownOf(writePdf([linesOf(['Join our club.'])], { fields }))).toBe(
    '<!-- page 1 -->\n\nJoin our club.\n\n- first name: Ada\n- Where do you live?: Harbour Street 5\n- I am a member: ✓',
  )
})

test('500 pages are read whole', async () => {
  const pages = Array.from({ length: 500 }, (_, at) =>
    linesOf([`Leaf ${wordOf(at)} begins.`, `It has ${wordOf(at)},`, `and ${wordOf(at)}.`, `Leaf ${wordOf(at)} ends.`]),
  )
  const text = await read(writePdf(pages))
  if ('failed' in text) throw new Error(text.failed)
  expect(text.pages).toBe(500)
  expect(text.markdown).toContain(`Leaf ${wordOf(499)} ends.`)
  expect(text.markdown.match(/<!-- page/g)).toHaveLength(500)
})

/** The share of words (F1) that survive extraction when lines are drawn from right to left, as fonts do. */
async function wordsKept(texts: string[]): Promise<number> {
  const bare = texts.map((text) => text.replace(/[\p{M}ـ]/gu, ''))
  const lines = bare.flatMap((text) => text.match(/(?:\S+\s+){10}/g) ?? []).map((line) => line.trim())
  const pages = Array.from({ length: Math.ceil(lines.length / 40) }, (_, at) =>
    linesOf(lines.slice(at * 40, at * 40 + 40).map((line) => reorder(line, true, true))),
  )
  const words = (text: string) => text.split(/\s+/).filter(Boolean)
  const expected = words(lines.join(' '))
  const found = words((await markdownOf(writePdf(pages))).replace(/<!--.*?-->/g, ' '))
  const left = new Map<string, number>()
  for (const word of expected) left.set(word, (left.get(word) ?? 0) + 1)
  const hits = found.filter((word) => {
    const count = left.get(word) ?? 0
    left.set(word, count - 1)
    return count > 0
  }).length
  return (2 * hits) / (expected.length + found.length)
}

const LIBRARY = [
  'تفتح مكتبة الحي أبوابها كل صباح في الساعة التاسعة، وتغلقها في السادسة مساء، أما يوم الجمعة فلا تعمل. ويستطيع كل ساكن أن يستعير خمسة كتب لمدة ثلاثة أسابيع، ثم يجددها مرة واحدة إذا لم يطلبها قارئ آخر.',
  'من أراد بطاقة جديدة فليحضر معه وثيقة تثبت عنوانه، والبطاقة للأطفال مجانية حتى سن الرابعة عشرة. وإذا ضاعت البطاقة تصدر المكتبة بطاقة بديلة بعد يومين مقابل رسم صغير يدفع عند الاستلام.',
  'في الطابق الأول قاعة هادئة للقراءة فيها أربعون مقعدا، وفي الطابق الثاني غرفة للأطفال تقرأ فيها القصص كل يوم سبت. ولا يسمح بالطعام في القاعتين، لكن الماء مسموح به في قنينة مغلقة.',
  'يصل البريد الإلكتروني info@example.com إلى الموظفين خلال يوم واحد، ورقم الهاتف 555012 يعمل في ساعات الدوام فقط. ومن تأخر في إعادة كتاب يدفع عن كل يوم مبلغا بسيطا لا يزيد على عشرة دنانير.',
]

test('Arabic as a font draws it: words come out as they were', async () => {
  expect(await wordsKept(LIBRARY)).toBeGreaterThan(0.98)
})

const ARABIC = 'data/xquad/xquad.ar.json'
test.skipIf(!hasShared(ARABIC))('Arabic of many articles: at least 98 of 100 words come out as they were', async () => {
  const { data } = JSON.parse(readShared(ARABIC)) as { data: { paragraphs: { context: string }[] }[] }
  const texts = data.flatMap(({ paragraphs }) => paragraphs.map(({ context }) => context))
  expect(await wordsKept(texts.slice(0, 40))).toBeGreaterThan(0.98)
})

let worker: Awaited<ReturnType<typeof bundleForNode>>
beforeAll(async () => {
  worker = await bundleForNode('server/taskThread.ts')
})
afterAll(() => worker.remove())
const readerWith = (limits: Partial<typeof documentLimits> = {}) =>
  createDocumentReader(null, createThreads({ ...documentLimits, ...limits, program: worker.entry }))

test('documents are read in a thread of their own, one after the other', async () => {
  const readFile = readerWith()
  const texts = await Promise.all(
    ['one', 'two', 'three'].map((text) =>
      readFile({ bytes: new Uint8Array(writePdf([linesOf([`Page of ${text}.`])])), name: 'a.pdf' }, never),
    ),
  )
  expect(texts.map((text) => 'markdown' in text && text.markdown)).toEqual(
    ['one', 'two', 'three'].map((text) => `<!-- page 1 -->\n\nPage of ${text}.`),
  )
})

test('a document that unpacks to far more than it weighs costs its thread, and the next one is read', async () => {
  // a thread that reads a small one grows the process too, and by more where much was freed just before
  const readFile = readerWith({ growth: 200_000_000 })
  const bomb = writePdf([linesOf(['x'])], { bomb: 300_000_000 })
  expect(bomb.length).toBeLessThan(1_000_000)
  expect(await readFile({ bytes: new Uint8Array(bomb), name: 'a.pdf' }, never)).toEqual({
    failed: expect.stringContaining('too much memory'),
  })
  expect(await readFile({ bytes: new Uint8Array(writePdf([linesOf(['Fine.'])])), name: 'a.pdf' }, never)).toMatchObject(
    { pages: 1 },
  )
})

test('a document that takes too long is given up, and so is one that nobody wants any more', async () => {
  const pages = Array.from({ length: 200 }, () => linesOf(['text', 'more']))
  const pdf = () => ({ bytes: new Uint8Array(writePdf(pages)), name: 'a.pdf' })
  expect(await readerWith({ timeMs: 1 })(pdf(), never)).toEqual({
    failed: expect.stringContaining('takes too long'),
  })
  const stop = new AbortController()
  const reading = readerWith()(pdf(), stop.signal)
  stop.abort()
  await expect(reading).rejects.toThrow('aborted')
})
