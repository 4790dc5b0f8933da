import { packLexicon } from './modules/knowledge/lexicon/loadLexicon'
import { writePrepared } from './modules/knowledge/prepared'
import { packUsual } from './modules/knowledge/retrieval/usual'

// A program that the build runs once, beside the server's: what it writes there, a start reads instead of making it.
await Promise.all([writePrepared('lexicon', await packLexicon()), writePrepared('usual', await packUsual())])
