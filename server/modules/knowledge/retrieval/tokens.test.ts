import { expect, test } from 'vitest'
import { loadLexicon } from '../lexicon/loadLexicon'
import { averagesOf } from './impacts'
import { buildIndex } from './lexicalIndex'
import { askedOf } from './question'
import { readTokens, readTotals, TOKENS_HEAD, tokensOf } from './tokens'
import { tokenize } from './words'

/** A language, a sentence, a word in a question, and how many words the sentence has (null: by the dictionary). */
const SENTENCES: [language: string, text: string, asked: string, words: number | null][] = [
  ['af', 'Ons lewer die pakkie môre af', 'pakkie', 6],
  ['sq', 'Dyqani është i hapur çdo ditë', 'dyqani', 6],
  ['am', 'ሱቁ በየቀኑ ክፍት ነው', 'ክፍት', 4],
  ['ar', 'يُفتح المتجر في الساعة التاسعة', 'المتجر', 5],
  ['hy', 'Խանութը բաց է ամեն օր', 'Խանութը', 5],
  ['az', 'Mağaza hər gün açıqdır', 'magaza', 4],
  ['eu', 'Denda egunero irekita dago', 'denda', 4],
  ['be', 'Крама адчынена кожны дзень', 'крама', 4],
  ['bn', 'দোকান প্রতিদিন খোলা থাকে', 'দোকান', 4],
  ['bg', 'Магазинът е отворен всеки ден', 'магазинът', 5],
  ['my', 'ဆိုင်သည် နေ့တိုင်း ဖွင့်သည်', 'ဆိုင်', null],
  ['ca', 'La botiga és oberta cada dia', 'botiga', 6],
  ['zh', '商店每天早上九点开门', '商店', null],
  ['hr', 'Trgovina je otvorena svaki dan, đak', 'dak', 6],
  ['cs', 'Obchod je otevřen každý den', 'otevren', 5],
  ['da', 'Butikken er åben hver dag', 'butikken', 5],
  ['nl', 'De winkel is elke dag geopend', 'geopend', 6],
  ['en', "The shop's door isn't locked", 'door', 7],
  ['et', 'Pood on avatud iga päev', 'paev', 5],
  ['fi', 'Kauppa on auki joka päivä', 'kauppa', 5],
  ['fr', 'L’hôtel est ouvert été comme hiver', 'hotel', 7],
  ['gl', 'A tenda abre todos os días', 'dias', 6],
  ['ka', 'მაღაზია ღიაა ყოველდღე', 'მაღაზია', 3],
  ['de', 'Die Straße ist für Autos gesperrt', 'strasse', 6],
  ['el', 'Το κατάστημα είναι ανοιχτό', 'καταστημα', 4],
  ['gu', 'દુકાન દરરોજ ખુલ્લી છે', 'દુકાન', 4],
  ['he', 'החנות פתוחה בכל יום', 'החנות', 4],
  ['hi', 'दुकान हर दिन खुली रहती है', 'दुकान', 6],
  ['hu', 'A bolt minden nap nyitva van', 'bolt', 6],
  ['is', 'Búðin er opin alla daga', 'budin', 5],
  ['id', 'Toko buka setiap hari', 'toko', 4],
  ['ga', 'Tá an siopa oscailte gach lá', 'siopa', 6],
  ['it', 'Il negozio è aperto ogni giorno', 'negozio', 6],
  ['ja', '店は毎日午前九時に開きます', '毎日', null],
  ['kn', 'ಅಂಗಡಿ ಪ್ರತಿದಿನ ತೆರೆದಿರುತ್ತದೆ', 'ಅಂಗಡಿ', 3],
  ['kk', 'Дүкен күн сайын ашық', 'дүкен', 4],
  ['km', 'ហាងបើករាល់ថ្ងៃ', 'ហាង', null],
  ['ko', '가게는 매일 아홉 시에 엽니다', '매일', 5],
  ['lo', 'ຮ້ານເປີດທຸກມື້', 'ຮ້ານ', null],
  ['lv', 'Veikals ir atvērts katru dienu', 'veikals', 5],
  ['lt', 'Parduotuvė dirba kasdien', 'parduotuve', 3],
  ['mk', 'Продавницата е отворена секој ден', 'отворена', 5],
  ['ms', 'Kedai dibuka setiap hari', 'kedai', 4],
  ['ml', 'കട എല്ലാ ദിവസവും തുറക്കും', 'കട', 4],
  ['mr', 'दुकान दररोज उघडे असते', 'दुकान', 4],
  ['no', 'Butikken er åpen på søndag', 'sondag', 5],
  ['fa', 'فروشگاه هر روز باز است', 'فروشگاه', 5],
  ['pl', 'Sklep jest otwarty w Łodzi', 'lodzi', 5],
  ['pt', 'A loja está aberta até às nove', 'ate', 7],
  ['pa', 'ਦੁਕਾਨ ਹਰ ਰੋਜ਼ ਖੁੱਲ੍ਹੀ ਹੈ', 'ਦੁਕਾਨ', 5],
  ['ro', 'Magazinul este deschis în fiecare zi', 'magazinul', 6],
  ['ru', 'Магазин ещё открыт', 'еще', 3],
  ['sr', 'Продавница је отворена сваког дана', 'продавница', 5],
  ['sk', 'Obchod je otvorený každý deň', 'kazdy', 5],
  ['sl', 'Trgovina je odprta vsak dan', 'odprta', 5],
  ['es', 'La tienda abre por la mañana', 'manana', 6],
  ['sw', 'Duka hufunguliwa kila siku', 'duka', 4],
  ['sv', 'Affären är öppen varje dag', 'affaren', 5],
  ['ta', 'கடை தினமும் திறந்திருக்கும்', 'கடை', 3],
  ['te', 'దుకాణం ప్రతిరోజు తెరిచి ఉంటుంది', 'దుకాణం', 4],
  ['th', 'ร้านเปิดทุกวันเวลาเก้าโมง', 'ร้าน', null],
  ['tr', 'Mağaza her gün ışıkta açık', 'isikta', 5],
  ['uk', 'Магазин відчинено щодня', 'магазин', 3],
  ['ur', 'دکان ہر روز کھلی رہتی ہے', 'دکان', 6],
  ['vi', 'Cửa hàng mở cửa mỗi ngày', 'cửa hàng', 6],
]
const indexOf = (texts: { text: string; language: string }[]) => {
  const records = texts.map(({ text, language }, id) => ({
    id,
    tokens: tokensOf({ heading: '', body: text, isFaq: false, language }),
  }))
  return buildIndex(records, averagesOf(records.map(({ tokens }) => tokens)))
}

test.each(SENTENCES)(
  '%s: words are told apart, and found as people type them',
  async (language, text, asked, count) => {
    const words = tokenize(text)
    if (count === null) expect(words.length).toBeGreaterThan(2)
    else expect(words).toHaveLength(count)
    const index = await indexOf([
      { text, language },
      { text: '0 1 2', language },
    ])
    const { hits, words: share } = index.search(askedOf(asked), 1)
    expect(hits[0]?.id).toBe(0)
    expect(share).toEqual({ covered: 1, unknown: 0 })
  },
)

test('in Vietnamese a mark makes another word', async () => {
  const texts = ['Con ma ở đây', 'Người má ở đây', 'Cây mạ ở đây'].map((text) => ({ text, language: 'vi' }))
  const index = await indexOf(texts)
  const first = (asked: string) => index.search(askedOf(asked), 3).hits[0]?.id
  expect([first('ma'), first('má'), first('mạ')]).toEqual([0, 1, 2])
})

test('a record holds each way to ask of an FAQ entry and its answer, and one of another form is empty', () => {
  const entry = { heading: 'a b', body: 'c', isFaq: true, language: 'en' }
  const lengths = (text: typeof entry) => readTokens(tokensOf(text)).map(({ totals }) => totals[0])
  expect(lengths(entry)).toEqual([2, 1])
  expect(lengths({ ...entry, heading: 'a b\nd e f\ng' })).toEqual([2, 3, 1, 1])
  expect(lengths({ ...entry, isFaq: false })).toEqual([3])
  expect(readTokens(Buffer.from([9, 1, 2]))).toEqual([])
})

test('records from before the lexicon grew are read as they were', () => {
  const record = tokensOf({ heading: '', body: 'Dogs are welcome.', isFaq: false, language: 'en' })
  const earlier = Buffer.from(record)
  earlier[0] = 2
  expect(readTokens(earlier)).toEqual(readTokens(record))
  expect(readTokens(record)).not.toEqual([])
})

test('records from before there were concepts are read as they were', () => {
  const passage = Buffer.from(
    'AQEAAAMAAwACAAIACwALAAAAAAAAAAAAAAAAADzBMEQ0bPurkNIR6V83rVYViODNXkOtID963TWZ09FLMfmffFdCFYiXpJKJ4YYOscw4u9dLFibeSheZ4pM3zOMBAQEBAQEBAQEBAQEBAQEB',
    'base64',
  )
  const faq = Buffer.from(
    'AQMAAAQABAACAAIACwALAAEAAQAAAAAAAgACAAMAAwACAAIACAAIAAEAAQAAAAAAAwADAAEAAQAAAAAAAgACADzBMERte+NPo51bpQy5BVHMwCCkXkOtIJnT0UtBzRphO82GfCNN7ovMOLvXSxYm3pM3zOPPohbWsMtbiEPgX7mNiczA2Kcj4bxokjb4bsJQAQEBAQEBAQEBAQEBAQEBAQEBAQE=',
    'base64',
  )
  const words = (text: string) => tokensOf({ heading: '', body: text, isFaq: false, language: 'en' })
  const hashes = (record: Buffer) => readTokens(record).map((field) => field.hashes.map((list) => [...list]))
  expect(hashes(passage)).toEqual(hashes(words('Dogs are welcome.')))
  expect(readTokens(faq).map(({ totals }) => totals)).toEqual([
    [3, 2, 8, 0],
    [1, 0, 3, 0],
    [1, 0, 2, 0],
  ])
  const [asked, answered] = readTotals(faq.subarray(0, TOKENS_HEAD))
  expect([asked, answered]).toEqual([
    { totals: [4, 2, 11, 0], fields: 2 },
    { totals: [1, 0, 2, 0], fields: 1 },
  ])
})

test('the first bytes of a record tell how long its ways to ask are together, and how many there are', () => {
  const record = tokensOf({ heading: 'a b\nd e f\ng', body: 'c h', isFaq: true, language: 'en' })
  const [asked, answered] = readTotals(record.subarray(0, TOKENS_HEAD))
  expect([asked?.totals[0], asked?.fields]).toEqual([6, 3])
  expect([answered?.totals[0], answered?.fields]).toEqual([2, 1])
})

test('an FAQ entry is found by the way to ask that fits, however long its others are', async () => {
  const long = 'a question about many other things that nobody has asked here for quite some time'
  const entries = [`refund\n${Array(9).fill(long).join('\n')}`, 'refund of a gift card that was bought as a present']
  const records = entries.map((heading, id) => ({
    id,
    tokens: tokensOf({ heading, body: 'See below', isFaq: true, language: 'en' }),
  }))
  const index = await buildIndex(records, averagesOf(records.map(({ tokens }) => tokens)))
  expect(index.search(askedOf('refund'), 2).hits[0]?.id).toBe(0)
})

test('a mistyped word weighs as much as a common one: its pieces are all that is known of it', async () => {
  const stores = Array.from({ length: 7 }, (_, at) => `Our stores of region ${at} open early`)
  const texts = ['Refunds come by post', ...stores]
  const index = await indexOf(texts.map((text) => ({ text, language: 'en' })))
  expect(index.search(askedOf('refnds stores'), 3).hits[0]?.id).toBe(0)
})

test('what any question may say counts little, though few chunks of a small chatbot say it', async () => {
  const texts = ['The ferry sails at noon', 'A lamp of glass', 'A lamp of wood', 'A lamp of iron']
  const index = await indexOf(texts.map((text) => ({ text, language: 'en' })))
  expect(index.search(askedOf('the lamp'), 4).hits[0]?.id).not.toBe(0)
})

test('a record of 1,200 characters is some 3 KB', () => {
  const body = Array.from({ length: 170 }, (_, at) => `w${(at * 7919) % 997}ord`).join(' ')
  expect(tokensOf({ heading: '', body, isFaq: false, language: 'en' }).length).toBeLessThan(6_000)
})

test('a concept finds a passage that says it in other words, and adds nothing where the words are there', async () => {
  const lexicon = await loadLexicon()
  const texts = ['Wir sind täglich ab neun Uhr geöffnet', 'Hunde sind erlaubt', 'We sell lamps of glass and of wood']
  const records = texts.map((body, id) => ({
    id,
    tokens: tokensOf({ heading: '', body, isFaq: false, language: null }, lexicon),
  }))
  const index = await buildIndex(records, averagesOf(records.map(({ tokens }) => tokens)))
  const first = (question: string) => index.search(askedOf(question, lexicon), 3).hits[0]?.id
  expect(first('may i bring my puppy')).toBe(1)
  expect(index.search(askedOf('may i bring my puppy'), 3).hits[0]?.id).not.toBe(1)
  const score = (asked: ReturnType<typeof askedOf>) => index.search(asked, 1).hits[0]?.score
  expect(score(askedOf('hunde', lexicon))).toBe(score(askedOf('hunde')))
})
