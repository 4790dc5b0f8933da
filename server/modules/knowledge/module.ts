import { defineModule } from '../../platform/modules/defineModule'
import { billing } from '../billing/module'
import { models } from '../models/module'
import { onboarding } from '../onboarding/module'
import { createCrawls } from './crawl/createCrawls'
import { registerCrawls } from './crawls/routes'
import { createKnowledge } from './createKnowledge'
import { createPdfReader } from './documents/readPdf'
import { createPages } from './page/readPage'
import { registerSources } from './sources/routes'
import { createTraining } from './training/createTraining'

export const knowledge = defineModule({
  name: 'knowledge',
  purpose: 'sources, their passages, and which of them answer',
  needs: { onboarding, billing, models },
  tables: ['crawls', 'crawl_pages', 'knowledge_sources', 'knowledge_chunks'],
  create(context, { models }) {
    const { files } = context
    const { jobs, ...knowledge } = createKnowledge(context, models)
    const pages = createPages(context)
    const crawls = createCrawls(context, pages)
    const training = createTraining(context, { files, readPage: pages.read, readPdf: createPdfReader() }, knowledge)
    return {
      provides: knowledge,
      routes(app) {
        registerCrawls(app, context, crawls)
        registerSources(app, context, files, knowledge)
      },
      jobs: [...jobs, ...crawls.jobs, ...training.jobs],
      sweeps: [...crawls.sweeps, ...training.sweeps],
      stop: crawls.close,
    }
  },
})
