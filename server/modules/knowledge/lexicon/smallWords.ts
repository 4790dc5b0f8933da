/** Words that connect others and say nothing alone, by language. */
const SMALL = [
  'a an the of to in on at by for from with and or is are was be been am do does did have has had i you he she it we they me him her us them my your his its our their this that these those there here as if so will would can could should might shall just some any please into up',
  'der die das den dem des ein eine einen einem einer eines und oder ist sind sein habe haben hatte ich du er sie es wir ihr mich mir dich dir uns euch ihnen mein dein sein unser euer meine deine seine unsere ihre meinen in im an am auf zu zum zur bei beim von vom mit fur aus nach uber unter als wenn so da dort denn auch noch doch bitte kann konnen konnte wird werden wurde sich',
  'el la los las un una unos unas de del al a en con por para y o es esta estan ser estar he ha han yo tu el ella nosotros vosotros ellos me te se nos os le les lo mi mis tu tus su sus este esta estos estas ese eso si como que hay muy ya',
  'le la les l un une des du de d a au aux en dans avec par et ou est sont etre suis ai a ont avoir je j tu il elle on nous vous ils elles me m te t se s lui leur mon ma ton ta tes sa ses notre votre nos vos leurs ce cet cette ces si c qu que qui y ne il',
  'il lo la i gli le l un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal in nel nella con su sul sulla per e o sono essere ho ha hanno io tu lui lei noi voi loro mi ti si ci vi ne mio mia tuo sua suo questo questa quello se che',
  'de het een van in op aan bij voor met en of is zijn was ben heb heeft hebben ik je jij u hij zij ze we wij jullie mij me jou hem ons hun mijn jouw uw onze dit dat deze die er daar als dan zo ook nog maar kan kunnen wordt worden te naar om uit',
  'i w we z ze na do od u o po za przy dla sie jest sa byc mam ma mamy ja ty on ona my wy oni mnie mi ci go jej nas wam im moj moja twoj nasz ta to te tam tu czy ze jak co by',
  'o a os as um uma uns umas de do da das em na nos nas com por para e ou eu tu ele ela nos vos eles me te se lhe meu minha seu sua este esta esse essa isto se que ha ja sao esta estao ser estar tem tenho',
].flatMap((words) => words.split(' '))

const small = new Set(SMALL)

/** Whether a word is left out when expressions are looked for: of a question's words, those that every question has. */
export const isSmallWord = (word: string): boolean => small.has(word)
