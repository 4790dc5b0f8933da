import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { extractDocument } from './extractDocument'
import { markdownTable } from './markdownTable'
import { unzip } from './unzip'

/** A zip of these files; `mimetype` of a book is not packed. */
async function zipOf(files: Record<string, string | Buffer>): Promise<Uint8Array> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content), name, { compress: name !== 'mimetype' })
  zip.end()
  return new Uint8Array(await buffer(zip.outputStream))
}
async function markdownOf(bytes: Uint8Array | string, name: string): Promise<string> {
  const read = await extractDocument({ bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes, name })
  if ('failed' in read) throw new Error(read.failed)
  return read.markdown
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const paragraph = (text: string, style = '') =>
  `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`
const word = (body: string) =>
  zipOf({
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${RELATIONS}"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `${XML}<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`,
  })

test('a Word document keeps its headings, paragraphs and tables', async () => {
  const rows = [
    ['Boat', 'A day'],
    ['Canoe', '45 €'],
  ].map((row) => `<w:tr>${row.map(cell).join('')}</w:tr>`)
  const bytes = await word(
    `${paragraph('Renting', 'Heading1')}${paragraph('Boats are rented from May on.')}<w:tbl>${rows.join('')}</w:tbl>`,
  )
  const markdown = await markdownOf(bytes, 'boats.docx')
  expect(markdown).toContain('# Renting')
  expect(markdown).toContain('Boats are rented from May on.')
  expect(markdown.replace(/ +/g, ' ')).toContain('| Canoe | 45 € |')
})

test('each sheet of a workbook is a table below its name, with dates as dates', async () => {
  const sheet = (rows: string) =>
    `${XML}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`
  const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
  const bytes = await zipOf({
    'xl/workbook.xml': `${XML}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}"><sheets><sheet name="Prices" sheetId="1" r:id="r1"/><sheet name="Days off" sheetId="2" r:id="r2"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${RELATIONS}"><Relationship Id="r1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${OFFICE}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="r3" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${XML}<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': sheet(
      `<row r="1">${text('A1', 'Item')}${text('B1', 'Euros')}</row><row r="2">${text('A2', 'Tea | pot')}<c r="B2"><v>4.5</v></c></row>`,
    ),
    'xl/worksheets/sheet2.xml': sheet(
      `<row r="1">${text('A1', 'From')}</row><row r="2"><c r="A2" s="1"><v>46357</v></c></row>`,
    ),
  })
  expect(await markdownOf(bytes, 'prices.xlsx')).toBe(
    '## Prices\n\n| Item | Euros |\n| --- | --- |\n| Tea \\| pot | 4.5 |\n\n## Days off\n\n| From |\n| --- |\n| 2026-12-01 |',
  )
})

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const SLIDES = 'http://schemas.openxmlformats.org/presentationml/2006/main'
const shape = (lines: string[], kind = '') =>
  `<p:sp><p:nvSpPr><p:nvPr>${kind && `<p:ph type="${kind}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${lines
    .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`
const slide = (shapes: string, attributes = '') =>
  `${XML}<p:sld xmlns:p="${SLIDES}" xmlns:a="${DRAWING}" ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`

test('slides come in the order of the presentation, without hidden ones and notes', async () => {
  const bytes = await zipOf({
    'ppt/presentation.xml': `${XML}<p:presentation xmlns:p="${SLIDES}" xmlns:r="${OFFICE}"><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/><p:sldId id="258" r:id="r3"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `${XML}<Relationships xmlns="${RELATIONS}"><Relationship Id="r1" Target="slides/slide1.xml"/><Relationship Id="r2" Target="slides/slide2.xml"/><Relationship Id="r3" Target="/ppt/slides/slide3.xml"/></Relationships>`,
    'ppt/slides/slide1.xml': slide(shape(['Tea &amp; cake', 'Coffee'])),
    'ppt/slides/slide2.xml': slide(shape(['Welcome'], 'ctrTitle') + shape(['We bake.'])),
    'ppt/slides/slide3.xml': slide(shape(['Margins are 60 %']), 'show="0"'),
    'ppt/notesSlides/notesSlide1.xml': slide(shape(['Do not tell'])),
  })
  expect(await markdownOf(bytes, 'talk.pptx')).toBe('## Welcome\n\nWe bake.\n\n## Slide 2\n\n- Tea & cake\n- Coffee')
})

test('a book’s chapters come in the order of its spine', async () => {
  const chapter = (title: string, text: string) =>
    `${XML}<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>${title}</h1><p>${text}</p></body></html>`
  const bytes = await zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': `${XML}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    'OEBPS/book.opf': `${XML}<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="b" href="two%20.xhtml"/><item id="a" href="one.xhtml"/><item id="n" href="nav.xhtml"/></manifest><spine><itemref idref="n" linear="no"/><itemref idref="a"/><itemref idref="b"/></spine></package>`,
    'OEBPS/one.xhtml': chapter('First', 'Once.'),
    'OEBPS/two .xhtml': chapter('Second', 'Later.'),
    'OEBPS/nav.xhtml': chapter('Contents', 'First, Second'),
  })
  expect(await markdownOf(bytes, 'book.epub')).toBe('# First\n\nOnce.\n\n# Second\n\nLater.')
})

test('pages, tables and texts are read by what their names say', async () => {
  const page = `<html><body><nav>Home</nav><main><h1>Hours</h1><p>${'We are open from nine to five on all days. '.repeat(5)}</p></main></body></html>`
  expect(await markdownOf(page, 'hours.html')).toContain('# Hours')
  expect(await markdownOf('Item;Euros\nTea;4\n', 'prices.csv')).toBe('| Item | Euros |\n| --- | --- |\n| Tea | 4 |')
  expect(await markdownOf('# Terms\r\n\r\nPay within a week.\r\n', 'terms.md')).toBe('# Terms\n\nPay within a week.')
  expect(await markdownOf('\ufeffZahlung binnen einer Woche für alle', 'terms.txt')).toContain('für alle')
})

test('what a zip is, its files tell, not its name', async () => {
  expect(await markdownOf(await word(paragraph('Still a letter.')), 'letter.xlsx')).toBe('Still a letter.')
})

test('what can’t be read says why and what helps', async () => {
  const failure = async (bytes: Uint8Array | string, name: string) => {
    const read = await extractDocument({ bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes, name })
    return 'failed' in read ? read.failed : null
  }
  const letter = await word(paragraph('A letter.'))
  expect(await failure(letter.slice(0, letter.length - 40), 'a.docx')).toContain('is damaged')
  expect(await failure(await zipOf({ 'notes.txt': 'hello' }), 'a.docx')).toContain('no document that can be read')
  expect(await failure(await word(''), 'a.docx')).toContain('has no text')
  expect(await failure(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2]), 'a.docx')).toContain('protected by a password')
  expect(await failure(' \n ', 'a.txt')).toContain('has no text')
})

test('a zip that says it holds more than an honest document is not unpacked', async () => {
  const zip = Buffer.from(await zipOf({ 'word/document.xml': 'x' }))
  // the size in the directory, 24 bytes into its entry
  const at = zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  zip.writeUInt32LE(400_000_000, at + 24)
  await expect(unzip(zip)).rejects.toThrow('too many bytes')
  expect(await extractDocument({ bytes: zip, name: 'a.docx' })).toEqual({
    failed: expect.stringContaining('far more than its size tells'),
  })
})

test('what would take a reader far more work than the document’s size tells is refused', async () => {
  const failure = async (bytes: Uint8Array) => {
    const read = await extractDocument({ bytes, name: 'a.pptx' })
    return 'failed' in read ? read.failed : null
  }
  const deck = (shapes: string) =>
    zipOf({ 'ppt/presentation.xml': `${XML}<p:presentation/>`, 'ppt/slides/slide1.xml': slide(shapes) })
  const grouped = (depth: number) => deck(`${'<p:grpSp>'.repeat(depth)}${shape(['Deep'])}${'</p:grpSp>'.repeat(depth)}`)
  expect(await failure(await grouped(400))).toBeNull()
  expect(await failure(await grouped(600))).toContain('far more than its size tells')
  const book = (sheets: number, place: string) =>
    zipOf({
      'xl/workbook.xml': `${XML}<workbook/>`,
      ...Object.fromEntries(
        Array.from({ length: sheets }, (_, at) => [
          `xl/worksheets/sheet${at}.xml`,
          `<worksheet><sheetData><row r="1"><c r="${place}"><v>1</v></c></row></sheetData></worksheet>`,
        ]),
      ),
    })
  expect(await failure(await book(1, 'XFD1048576'))).toContain('far more than its size tells')
  expect(await failure(await book(501, 'A1'))).toContain('far more than its size tells')
})

test('empty rows and columns of a table are left out, and what is too long is cut at a row', () => {
  expect(
    markdownTable(
      [
        ['', 'Day', ''],
        ['', '', ''],
        ['', 'Monday', ' '],
      ],
      1_000,
    ),
  ).toBe('| Day |\n| --- |\n| Monday |')
  expect(markdownTable([['a'], ['b'], ['c']], 12)).toBe('| a |\n| --- |\n| b |')
  expect(markdownTable([], 10)).toBe('')
})
