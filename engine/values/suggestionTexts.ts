/** What is said with the nearest questions where nothing answers, and the label of the button that refuses all. */
export interface SuggestionTexts {
  didYouMean: string
  noneOfThese: string
}

const texts = (didYouMean: string, noneOfThese: string): SuggestionTexts => ({ didYouMean, noneOfThese })

/** By the codes of server/modules/agents/answering/texts; editors may replace them like texts of the chat. */
const byLanguage: Readonly<Record<string, SuggestionTexts>> = {
  en: texts('I’m not sure I have an answer to that. Did you mean …', 'None of these'),
  af: texts('Ek is nie seker of ek ’n antwoord daarop het nie. Het jy bedoel …', 'Nie een hiervan nie'),
  ar: texts('لست متأكدًا من أن لدي جوابًا عن ذلك. هل تقصد …', 'لا شيء من هذا'),
  bg: texts('Не съм сигурен, че имам отговор на това. Имахте предвид …', 'Нищо от изброеното'),
  bn: texts('এর উত্তর আমার কাছে আছে কি না নিশ্চিত নই। আপনি কি বোঝাতে চেয়েছেন …', 'এগুলোর কোনোটিই নয়'),
  ca: texts('No estic segur de tenir-ne la resposta. Volíeu dir …', 'Cap d’aquestes'),
  cs: texts('Nejsem si jistý, že na to mám odpověď. Měli jste na mysli …', 'Nic z toho'),
  da: texts('Jeg er ikke sikker på, at jeg har et svar på det. Mente du …', 'Ingen af disse'),
  de: texts('Ich bin nicht sicher, ob ich darauf eine Antwort habe. Meinten Sie …', 'Nichts davon'),
  el: texts('Δεν είμαι σίγουρος ότι έχω απάντηση σε αυτό. Μήπως εννοείτε …', 'Τίποτα από αυτά'),
  es: texts('No estoy seguro de tener una respuesta a eso. ¿Quiso decir …?', 'Ninguna de estas'),
  et: texts('Ma pole kindel, et mul on sellele vastus. Kas mõtlesite …', 'Mitte ükski neist'),
  fa: texts('مطمئن نیستم پاسخی برای آن داشته باشم. آیا منظورتان این بود …', 'هیچ‌کدام'),
  fi: texts('En ole varma, onko minulla siihen vastausta. Tarkoititteko …', 'Ei mikään näistä'),
  fr: texts('Je ne suis pas sûr d’avoir une réponse à cela. Vouliez-vous dire …', 'Rien de tout cela'),
  gu: texts('મને ખાતરી નથી કે મારી પાસે આનો જવાબ છે. શું તમારો અર્થ આ હતો …', 'આમાંથી કોઈ નહીં'),
  he: texts('איני בטוח שיש לי תשובה על כך. האם התכוונתם ל…', 'אף אחת מאלה'),
  hi: texts('मुझे यकीन नहीं कि मेरे पास इसका उत्तर है। क्या आपका मतलब यह था …', 'इनमें से कोई नहीं'),
  hr: texts('Nisam siguran da imam odgovor na to. Jeste li mislili …', 'Ništa od navedenog'),
  hu: texts('Nem biztos, hogy tudok erre válaszolni. Erre gondolt …', 'Egyik sem'),
  id: texts('Saya tidak yakin punya jawabannya. Apakah maksud Anda …', 'Bukan salah satunya'),
  it: texts('Non sono sicuro di avere una risposta. Intendeva …', 'Nessuna di queste'),
  ja: texts('その答えがあるか確かではありません。もしかして …', 'どれでもない'),
  ko: texts('그에 대한 답이 있는지 확실하지 않습니다. 혹시 이것을 찾으셨나요 …', '해당 없음'),
  lt: texts('Nesu tikras, ar turiu į tai atsakymą. Ar turėjote omenyje …', 'Nė vienas iš šių'),
  lv: texts('Neesmu drošs, ka man ir atbilde uz to. Vai domājāt …', 'Neviens no šiem'),
  mr: texts('माझ्याकडे याचे उत्तर आहे याची खात्री नाही. तुम्हाला हे म्हणायचे होते का …', 'यापैकी काहीही नाही'),
  ms: texts('Saya tidak pasti ada jawapannya. Adakah anda maksudkan …', 'Bukan yang ini'),
  nl: texts('Ik weet niet zeker of ik daar een antwoord op heb. Bedoelde u …', 'Geen van deze'),
  no: texts('Jeg er ikke sikker på at jeg har et svar på det. Mente du …', 'Ingen av disse'),
  pl: texts('Nie mam pewności, czy znam odpowiedź. Czy chodziło o …', 'Żadne z tych'),
  pt: texts('Não tenho a certeza de ter uma resposta para isso. Queria dizer …', 'Nenhuma destas'),
  ro: texts('Nu sunt sigur că am un răspuns la asta. V-ați referit la …', 'Niciuna dintre acestea'),
  ru: texts('Не уверен, что у меня есть ответ на это. Возможно, вы имели в виду …', 'Ничего из этого'),
  sk: texts('Nie som si istý, že na to mám odpoveď. Mysleli ste …', 'Nič z toho'),
  sl: texts('Nisem prepričan, da imam odgovor na to. Ste mislili …', 'Nič od tega'),
  sr: texts('Нисам сигуран да имам одговор на то. Да ли сте мислили …', 'Ништа од овога'),
  sv: texts('Jag är inte säker på att jag har ett svar på det. Menade du …', 'Inget av dessa'),
  sw: texts('Sina hakika kama nina jibu la hilo. Je, ulimaanisha …', 'Hakuna kati ya haya'),
  ta: texts('அதற்கான பதில் என்னிடம் உள்ளதா என உறுதியில்லை. நீங்கள் கேட்டது இதுவா …', 'இவற்றில் எதுவும் இல்லை'),
  te: texts('దానికి నా దగ్గర సమాధానం ఉందో లేదో తెలియదు. మీ ఉద్దేశం ఇదా …', 'వీటిలో ఏదీ కాదు'),
  th: texts('ไม่แน่ใจว่ามีคำตอบสำหรับเรื่องนี้ คุณหมายถึง …', 'ไม่ใช่ทั้งหมดนี้'),
  tl: texts('Hindi ako sigurado kung may sagot ako riyan. Ang ibig mo bang sabihin ay …', 'Wala sa mga ito'),
  tr: texts('Buna bir yanıtım olduğundan emin değilim. Şunu mu demek istediniz …', 'Bunlardan hiçbiri'),
  uk: texts('Не впевнений, що маю відповідь на це. Можливо, ви мали на увазі …', 'Нічого з цього'),
  ur: texts('مجھے یقین نہیں کہ میرے پاس اس کا جواب ہے۔ کیا آپ کا مطلب یہ تھا …', 'ان میں سے کوئی نہیں'),
  vi: texts('Tôi không chắc mình có câu trả lời cho điều đó. Ý bạn là …', 'Không phải các mục này'),
  zh: texts('我不确定是否有这个问题的答案。您是想问……', '都不是'),
  'zh-tw': texts('我不確定是否有這個問題的答案。您是想問……', '都不是'),
}

/** Where the chat's texts name a language otherwise. */
const CHAT: Readonly<Record<string, string>> = { 'zh-cn': 'zh', 'pt-br': 'pt' }

/** The texts in a language, by its code here or in the chat's texts; English if there are none. */
export const suggestionTexts = (code: string): SuggestionTexts =>
  byLanguage[CHAT[code] ?? code] ?? (byLanguage.en as SuggestionTexts)

/** The codes under which editors may have replaced the texts of a language, the likelier first. */
export const chatCodesOf = (code: string): string[] => [
  code,
  ...Object.keys(CHAT).filter((chat) => CHAT[chat] === code),
]
