import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/support/database'
import { insertChatbot, insertSources, type TestSource } from '../../../tests/support/knowledgeBase'
import { createJobs } from '../../platform/jobs/createJobs'
import type { Models } from '../models/models'
import { createKnowledge } from './createKnowledge'
import type { Knowledge } from './knowledge'

let database: TestDatabase
let knowledge: Knowledge
const noModels: Models = { catalogue: async () => [], open: async () => null, embedder: async () => null }

beforeAll(async () => {
  database = await createTestDatabase()
  const process = { db: database.db, clock: () => new Date(), log: pino({ level: 'silent' }) }
  knowledge = createKnowledge({ ...process, jobs: createJobs(process) }, noModels)
})
afterAll(() => database.close())

interface Case {
  name: string
  sources: TestSource[]
  /** asked in other words than those of the sources */
  known: string[]
  /** about other topics */
  unknown: string[]
}

const CASES: Case[] = [
  {
    name: 'one FAQ entry',
    sources: [
      { title: 'Returns', asked: ['How long may I return a lamp?'], texts: ['Within 30 days, free of charge.'] },
    ],
    known: ['How many days do I have to return a lamp?', 'Can I return my lamp?', 'is returning a lamp free of charge'],
    unknown: ['Who won the football match?', 'How long is a marathon?', 'asdf jkl qwer', 'What do bees do in winter?'],
  },
  {
    name: 'one short text',
    sources: [
      {
        title: 'Shop',
        texts: ['Our shop in Harbour Street is open from nine to six. On Sundays it is closed. Dogs are welcome.'],
      },
    ],
    known: ['When is the shop open?', 'Are you open on Sundays?', 'Can I bring my dogs to the shop?'],
    unknown: ['Why is the sea salty?', 'What is the capital of Mongolia?', 'How do I knit a scarf?', 'xyzzy plugh'],
  },
  {
    name: 'three German entries',
    sources: [
      {
        title: 'Versand',
        asked: ['Was kostet der Versand?'],
        texts: ['4,90 Euro, ab 50 Euro ist er kostenlos.'],
        language: 'de',
      },
      {
        title: 'Lieferzeit',
        asked: ['Wie lange dauert die Lieferung?'],
        texts: ['Zwei bis drei Werktage.'],
        language: 'de',
      },
      {
        title: 'Rückgabe',
        asked: ['Kann ich Ware zurückgeben?'],
        texts: ['Ja, innerhalb von 30 Tagen.'],
        language: 'de',
      },
    ],
    known: [
      'Was kostet der Versand nach Österreich?',
      'Wie lange dauert es, bis geliefert wird?',
      'Wie kann ich die Ware zurückgeben?',
    ],
    unknown: ['Wer hat gestern das Fußballspiel gewonnen?', 'Warum schnurren Katzen?', 'Wie lang ist ein Marathon?'],
  },
  {
    name: 'one Spanish text',
    sources: [
      {
        title: 'Restaurante',
        texts: [
          'El restaurante abre de martes a domingo a las ocho de la tarde. Se puede reservar mesa por teléfono. No aceptamos tarjetas de crédito.',
        ],
        language: 'es',
      },
    ],
    known: ['¿A qué hora abre el restaurante?', '¿Puedo reservar una mesa?', '¿Aceptan tarjeta de crédito?'],
    unknown: ['¿Quién pintó la Capilla Sixtina?', '¿Por qué es salado el mar?', '¿Cuántas cuerdas tiene un violín?'],
  },
  {
    name: 'a Turkish text and an entry',
    sources: [
      {
        title: 'Otel',
        texts: ['Otelimiz denize yüz metre uzaklıktadır. Kahvaltı saat yedide başlar. Evcil hayvan kabul edilmez.'],
        language: 'tr',
      },
      { title: 'Otopark', asked: ['Otopark var mı?'], texts: ['Evet, misafirler için ücretsizdir.'], language: 'tr' },
    ],
    known: ['Kahvaltı kaçta başlıyor?', 'Otopark ücretsiz mi?', 'Otel denize ne kadar uzak?'],
    unknown: ['Dün akşamki maçı kim kazandı?', 'Kediler neden mırlar?', 'Moğolistan’ın başkenti neresi?'],
  },
  {
    name: 'two Japanese entries',
    sources: [
      {
        title: '返品',
        asked: ['返品はできますか?'],
        texts: ['商品到着後30日以内であれば返品できます。'],
        language: 'ja',
      },
      { title: '送料', asked: ['送料はいくらですか?'], texts: ['全国一律500円です。'], language: 'ja' },
    ],
    known: ['商品を返品したい', '送料はいくらかかりますか?'],
    unknown: ['昨日の試合は誰が勝ちましたか?', '猫はなぜ喉を鳴らすのですか?', '海はなぜしょっぱいの?'],
  },
  {
    name: 'an Arabic text',
    sources: [
      {
        title: 'العيادة',
        texts: [
          'تفتح العيادة أبوابها من التاسعة صباحا حتى الخامسة مساء. يمكن حجز موعد عبر الهاتف. العيادة مغلقة يوم الجمعة.',
        ],
        language: 'ar',
      },
    ],
    known: ['متى تفتح العيادة؟', 'هل يمكن حجز موعد بالهاتف؟', 'هل العيادة مغلقة يوم الجمعة؟'],
    unknown: ['من فاز في مباراة أمس؟', 'لماذا ماء البحر مالح؟', 'ما هي عاصمة منغوليا؟'],
  },
  {
    name: 'a text in a language that there are no questions in',
    sources: [
      {
        title: 'Leabharlann',
        texts: [
          'Tá an leabharlann oscailte ó Luan go hAoine. Dúntar í ag a sé a chlog tráthnóna. Is féidir leabhar a choinneáil ar feadh trí seachtaine.',
        ],
        language: 'ga',
      },
    ],
    known: [
      'Cathain a bhíonn an leabharlann oscailte?',
      'Cén uair a dhúntar an leabharlann?',
      'Cá fhad is féidir leabhar a choinneáil?',
    ],
    unknown: ['Cé a bhuaigh an cluiche aréir?', 'Cad í príomhchathair na Mongóile?', 'Conas a dhéantar cáis?'],
  },
]

describe.each(CASES)('$name', ({ sources, known, unknown }) => {
  test('is known by other words, and nothing else is', async () => {
    const place = await insertChatbot(database.db)
    await insertSources(database.db, place, sources)
    const zones = async (questions: string[]) =>
      Promise.all(questions.map(async (question) => `${(await knowledge.find(place, question)).zone}: ${question}`))
    await knowledge.calibrate(place)
    // answered, or shown as possibly helpful
    expect((await zones(known)).filter((one) => one.startsWith('unknown'))).toEqual([])
    expect((await zones(unknown)).filter((one) => one.startsWith('confident'))).toEqual([])
  })
})
