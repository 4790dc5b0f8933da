/** What is said to visitors where no model speaks. */
export interface Sentences {
  /** the sources do not hold the answer */
  notFound: string
  /** before sentences that may or may not answer */
  mayHelp: string
  /** no answer can be given now, for a reason that is the editor's */
  unavailable: string
}

const english: Sentences = {
  notFound: 'Sorry, I don’t know that. I found nothing about it in what I know.',
  mayHelp: 'I’m not sure, but this may help:',
  unavailable: 'Sorry, I can’t answer right now. Please try again later.',
}

/** By ISO 639-1. */
const sentences: Readonly<Record<string, Sentences>> = {
  en: english,
  de: {
    notFound: 'Das weiß ich leider nicht. In dem, was ich kenne, habe ich nichts dazu gefunden.',
    mayHelp: 'Ich bin nicht sicher, aber vielleicht hilft das:',
    unavailable: 'Ich kann gerade leider nicht antworten. Bitte versuchen Sie es später noch einmal.',
  },
  fr: {
    notFound: 'Désolé, je ne sais pas. Je n’ai rien trouvé à ce sujet dans ce que je connais.',
    mayHelp: 'Je n’en suis pas sûr, mais ceci peut vous aider :',
    unavailable: 'Désolé, je ne peux pas répondre pour le moment. Veuillez réessayer plus tard.',
  },
  es: {
    notFound: 'Lo siento, no lo sé. No he encontrado nada sobre eso en lo que conozco.',
    mayHelp: 'No estoy seguro, pero esto puede ayudar:',
    unavailable: 'Lo siento, ahora mismo no puedo responder. Inténtelo de nuevo más tarde.',
  },
  it: {
    notFound: 'Mi dispiace, non lo so. Non ho trovato nulla al riguardo in ciò che conosco.',
    mayHelp: 'Non ne sono sicuro, ma questo può aiutare:',
    unavailable: 'Mi dispiace, al momento non posso rispondere. Riprovi più tardi.',
  },
  pt: {
    notFound: 'Desculpe, não sei. Não encontrei nada sobre isso no que conheço.',
    mayHelp: 'Não tenho certeza, mas isto pode ajudar:',
    unavailable: 'Desculpe, não posso responder agora. Tente novamente mais tarde.',
  },
  nl: {
    notFound: 'Sorry, dat weet ik niet. Ik heb er niets over gevonden in wat ik ken.',
    mayHelp: 'Ik weet het niet zeker, maar dit kan helpen:',
    unavailable: 'Sorry, ik kan nu niet antwoorden. Probeer het later opnieuw.',
  },
  pl: {
    notFound: 'Przepraszam, tego nie wiem. Nie znalazłem nic na ten temat w tym, co znam.',
    mayHelp: 'Nie mam pewności, ale to może pomóc:',
    unavailable: 'Przepraszam, nie mogę teraz odpowiedzieć. Proszę spróbować później.',
  },
  ru: {
    notFound: 'К сожалению, я этого не знаю. В том, что мне известно, об этом ничего нет.',
    mayHelp: 'Я не уверен, но это может помочь:',
    unavailable: 'К сожалению, сейчас я не могу ответить. Попробуйте позже.',
  },
  tr: {
    notFound: 'Üzgünüm, bunu bilmiyorum. Bildiklerim arasında bununla ilgili bir şey bulamadım.',
    mayHelp: 'Emin değilim ama şu yardımcı olabilir:',
    unavailable: 'Üzgünüm, şu anda yanıt veremiyorum. Lütfen daha sonra tekrar deneyin.',
  },
  ar: {
    notFound: 'عذرًا، لا أعرف ذلك. لم أجد شيئًا عنه فيما أعرفه.',
    mayHelp: 'لست متأكدًا، لكن قد يفيد هذا:',
    unavailable: 'عذرًا، لا أستطيع الإجابة الآن. يرجى المحاولة لاحقًا.',
  },
  zh: {
    notFound: '抱歉，我不知道。在我所知的内容中没有找到相关信息。',
    mayHelp: '我不太确定，但以下内容可能有帮助：',
    unavailable: '抱歉，我现在无法回答，请稍后再试。',
  },
  ja: {
    notFound: '申し訳ありませんが、わかりません。私の知っている内容には見つかりませんでした。',
    mayHelp: '確かではありませんが、こちらが参考になるかもしれません：',
    unavailable: '申し訳ありませんが、ただいまお答えできません。後でもう一度お試しください。',
  },
  ko: {
    notFound: '죄송하지만 잘 모르겠습니다. 제가 아는 내용에서 찾지 못했습니다.',
    mayHelp: '확실하지는 않지만 도움이 될 수 있습니다:',
    unavailable: '죄송하지만 지금은 답변할 수 없습니다. 나중에 다시 시도해 주세요.',
  },
}

const codes: Readonly<Record<string, string>> = {
  English: 'en',
  German: 'de',
  French: 'fr',
  Spanish: 'es',
  Italian: 'it',
  Portuguese: 'pt',
  'Portuguese (Brazil)': 'pt',
  Dutch: 'nl',
  Polish: 'pl',
  Russian: 'ru',
  Turkish: 'tr',
  Arabic: 'ar',
  'Chinese (Simplified)': 'zh',
  Japanese: 'ja',
  Korean: 'ko',
}

/**
 * In the language that is set, or that of the question; in English where there are none of it.
 * @param set a name of engine/values/aiLanguages.ts
 * @param asked ISO 639-1 of the question, where it can be told
 */
export const sentencesIn = (set: string, asked: string | null): Sentences =>
  sentences[set === 'Auto' ? (asked ?? 'en') : (codes[set] ?? 'en')] ?? english
