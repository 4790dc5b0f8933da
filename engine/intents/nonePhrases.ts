import { stemOf, tokenize } from './features'

/**
 * Phrases about topics outside any bot, as training data for the class "none", by language. Those close to the bot's
 * own phrases are left out.
 */
const phrases: Record<string, string> = {
  en: `how are you today|tell me a joke|what is the capital of france|who won the match last night|what should i cook tonight
    |sing me a song|i am bored|do you have a girlfriend|how tall is that mountain|what does this word mean|good night my friend
    |translate this into spanish|who wrote that book|what is two plus two|how far is the moon|play some music please|my dog is sick
    |where do penguins live|i like your voice|are you a robot|what is the meaning of life|recommend me a good film|how old are you
    |why is the sky blue|when was the war|what is the weather going to be|find me a recipe for soup|who is the president
    |i had a strange dream|how do planes fly|set an alarm for seven|what time is it in tokyo|spell necessary|flip a coin for me
    |how many people live in china|what rhymes with orange|you are stupid|never mind that|i do not know|something else entirely
    |what is on television|how do i tie a tie|which team is the best|write me a poem|what happened in the news|is there life on mars
    |how long do cats live|what is the fastest car|i am feeling sad|tell me about history
    |where can i buy a tent|how much sugar is in an apple|which language is hardest to learn|does my neighbour like me|is it true that elephants remember
    |can you drive a lorry|when do the leaves fall|what makes bread rise|who painted the ceiling|how many teeth has a shark
    |what is the price of gold|why do we yawn|are there any good museums around|how do i get rid of ants|when is the next full moon
    |should i grow a beard|what did she say to him|where was he born|how deep is the ocean|what are the rules of chess
    |who is the richest person|can i keep a rabbit indoors|how do i draw a horse|which planet is the biggest|do you believe in ghosts
    |how loud is thunder|what was your first job|when did that company start|how do magnets work|is the shop on the corner any good
    |what size is a football field|who sings that song|how do i remove a stain|which phone has the best camera|what is the population of spain
    |how do i fix a leaking tap|what colour suits me|can you guess my name|where are my keys|how many calories are in rice
    |what do you think of my painting|when does the film start|is coffee bad for you|how do i learn the guitar|what is my neighbour called
    |find out who called me|show me pictures of castles|how heavy is a whale|can birds see colours|explain gravity to a child`,
  de: `wie geht es dir heute|erzähl mir einen witz|was ist die hauptstadt von frankreich|wer hat gestern das spiel gewonnen
    |was soll ich heute kochen|sing mir ein lied|mir ist langweilig|wie hoch ist dieser berg|was bedeutet dieses wort|gute nacht
    |wer hat das buch geschrieben|was ist zwei plus zwei|wie weit ist der mond|spiel bitte musik|mein hund ist krank
    |wo leben pinguine|bist du ein roboter|was ist der sinn des lebens|empfiehl mir einen film|wie alt bist du
    |warum ist der himmel blau|wie wird das wetter|wer ist der präsident|wie viele menschen leben in china|du bist dumm
    |das ist mir egal|ich weiß nicht|etwas ganz anderes|was läuft im fernsehen|schreib mir ein gedicht|gibt es leben auf dem mars
    |wie spät ist es in tokio|wirf eine münze|ich bin traurig|wie fliegen flugzeuge`,
  es: `cómo estás hoy|cuéntame un chiste|cuál es la capital de francia|quién ganó el partido ayer|qué puedo cocinar esta noche
    |cántame una canción|estoy aburrido|qué altura tiene esa montaña|qué significa esta palabra|buenas noches amigo
    |quién escribió ese libro|cuánto es dos más dos|a qué distancia está la luna|pon música por favor|mi perro está enfermo
    |dónde viven los pingüinos|eres un robot|cuál es el sentido de la vida|recomiéndame una película|cuántos años tienes
    |por qué el cielo es azul|qué tiempo va a hacer|quién es el presidente|cuánta gente vive en china|eres tonto|no importa
    |no lo sé|otra cosa distinta|qué hay en la televisión|escríbeme un poema|hay vida en marte|qué hora es en tokio|estoy triste`,
  fr: `comment vas tu aujourd'hui|raconte moi une blague|quelle est la capitale de la france|qui a gagné le match hier
    |que puis je cuisiner ce soir|chante moi une chanson|je m'ennuie|quelle est la hauteur de cette montagne|que veut dire ce mot
    |bonne nuit mon ami|qui a écrit ce livre|combien font deux et deux|à quelle distance est la lune|mets de la musique
    |mon chien est malade|où vivent les manchots|es tu un robot|quel est le sens de la vie|conseille moi un film|quel âge as tu
    |pourquoi le ciel est bleu|quel temps va t il faire|qui est le président|combien de gens vivent en chine|tu es bête|peu importe
    |je ne sais pas|autre chose|qu'est ce qu'il y a à la télé|écris moi un poème|y a t il de la vie sur mars|je suis triste`,
  pt: `como você está hoje|me conta uma piada|qual é a capital da frança|quem ganhou o jogo ontem|o que posso cozinhar hoje
    |canta uma música|estou entediado|qual é a altura dessa montanha|o que significa essa palavra|boa noite amigo
    |quem escreveu esse livro|quanto é dois mais dois|qual a distância da lua|toca uma música por favor|meu cachorro está doente
    |onde vivem os pinguins|você é um robô|qual é o sentido da vida|me recomenda um filme|quantos anos você tem
    |por que o céu é azul|como vai ficar o tempo|quem é o presidente|quantas pessoas vivem na china|você é burro|deixa pra lá
    |não sei|outra coisa|o que está passando na televisão|escreve um poema|existe vida em marte|estou triste`,
  it: `come stai oggi|raccontami una barzelletta|qual è la capitale della francia|chi ha vinto la partita ieri
    |cosa posso cucinare stasera|cantami una canzone|mi annoio|quanto è alta quella montagna|cosa significa questa parola
    |buona notte amico|chi ha scritto quel libro|quanto fa due più due|quanto è lontana la luna|metti della musica
    |il mio cane è malato|dove vivono i pinguini|sei un robot|qual è il senso della vita|consigliami un film|quanti anni hai
    |perché il cielo è blu|che tempo farà|chi è il presidente|quante persone vivono in cina|sei stupido|non importa|non lo so
    |qualcos'altro|cosa c'è in televisione|scrivimi una poesia|c'è vita su marte|sono triste`,
  nl: `hoe gaat het vandaag|vertel me een grap|wat is de hoofdstad van frankrijk|wie heeft de wedstrijd gewonnen
    |wat zal ik vanavond koken|zing een liedje voor me|ik verveel me|hoe hoog is die berg|wat betekent dit woord|goedenacht vriend
    |wie heeft dat boek geschreven|hoeveel is twee plus twee|hoe ver is de maan|speel wat muziek|mijn hond is ziek
    |waar leven pinguïns|ben je een robot|wat is de zin van het leven|raad me een film aan|hoe oud ben je
    |waarom is de lucht blauw|wat voor weer wordt het|wie is de president|hoeveel mensen wonen in china|je bent dom|laat maar
    |ik weet het niet|iets heel anders|wat is er op televisie|schrijf een gedicht|is er leven op mars|ik ben verdrietig`,
}

const byLanguage = Object.entries(phrases).map(([language, text]) => ({
  language,
  phrases: text.split('|').map((phrase) => phrase.trim()),
}))

/**
 * Selects "none" phrases for a bot: those of the language whose words the bot uses most (English if unclear), without
 * those that share most of their words with a phrase of the bot's.
 */
export function nonePhrasesFor(own: readonly string[]): string[] {
  const ownWords = own.flatMap(tokenize)
  const nearest = byLanguage
    .map(({ phrases: candidates }) => {
      const words = new Set(candidates.flatMap(tokenize))
      return { candidates, shared: ownWords.filter((word) => words.has(word)).length }
    })
    .reduce((best, next) => (next.shared > best.shared ? next : best))
  const ownStems = own.map((phrase) => new Set(tokenize(phrase).map(stemOf)))
  return nearest.candidates.filter((phrase) => {
    const stems = tokenize(phrase).map(stemOf)
    return !ownStems.some((known) => stems.filter((stem) => known.has(stem)).length > stems.length * MOSTLY)
  })
}

/** The share of common words above which a phrase may mean the same as one of the bot's. */
const MOSTLY = 0.6
