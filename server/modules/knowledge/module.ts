import { join } from 'node:path'
import { defineModule } from '../../platform/modules/defineModule'
import { billing } from '../billing/module'
import { integrations } from '../integrations/module'
import { models } from '../models/module'
import { onboarding } from '../onboarding/module'
import { secrets } from '../secrets/module'
import { createCrawls } from './crawl/createCrawls'
import { registerCrawls } from './crawls/routes'
import { createKnowledge } from './createKnowledge'
import { createDocumentReader } from './documents/readDocument'
import { createFeeds } from './feeds/createFeeds'
import { createArticleReader } from './feeds/helpCenter'
import { registerFeeds } from './feeds/routes'
import { createPages } from './page/readPage'
import { forgetIndexFiles } from './retrieval/forgetIndexFiles'
import { createIndexFiles } from './retrieval/indexFiles'
import { registerEmbeddings } from './retrieval/routes'
import { registerSources } from './sources/routes'
import { createTraining } from './training/createTraining'
import { warmUpIfNeeded } from './warmUp'

export const knowledge = defineModule({
  name: 'knowledge',
  purpose: 'sources, their passages, and which of them answer',
  needs: { onboarding, billing, secrets, models, integrations },
  tables: ['crawls', 'crawl_pages', 'knowledge_feeds', 'knowledge_sources', 'knowledge_chunks'],
  create(context, { models, integrations: { open } }) {
    const { files, config, log } = context
    const indexFiles = createIndexFiles(join(config.dataDir, 'indexes'), config)
    const { jobs, ...knowledge } = createKnowledge(context, models, indexFiles)
    const forgetting = forgetIndexFiles(context, indexFiles)
    const pages = createPages(context)
    const crawls = createCrawls(context, pages)
    const feeds = createFeeds(context, pages, { open })
    const readDocument = createDocumentReader(config.ocrCommand && { command: config.ocrCommand, log })
    const readers = { files, readPage: pages.read, readArticle: createArticleReader(pages), readDocument }
    const training = createTraining(context, readers, knowledge)
    return {
      provides: knowledge,
      routes(app) {
        registerCrawls(app, context, crawls)
        registerFeeds(app, context, feeds, { open })
        registerSources(app, context, files, knowledge)
        registerEmbeddings(app, context, models)
      },
      jobs: [...jobs, ...crawls.jobs, ...feeds.jobs, ...training.jobs],
      sweeps: [...crawls.sweeps, ...feeds.sweeps, ...training.sweeps],
      async open() {
        void warmUpIfNeeded(context)
        await forgetting.open()
      },
      stop() {
        forgetting.stop()
        crawls.close()
        feeds.close()
      },
    }
  },
})
