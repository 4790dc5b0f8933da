import { readContactsCsv } from './modules/contacts/tasks'
import { readMailSource } from './modules/conversations/inboundMail/tasks'
import { trainIntents } from './modules/conversations/runtime/tasks'
import { workOnDraft } from './modules/flows/drafts/tasks'
import {
  cutContent,
  pagePicture,
  readContent,
  readDocument,
  readFaqCsv,
  readSitemapFile,
} from './modules/knowledge/tasks'
import { embedTexts, packModel } from './modules/models/local/tasks'
import { redactTexts } from './modules/privacy/tasks'
import { readSite } from './modules/web/tasks'
import { parseJson } from './platform/http/tasks'
import { renderMail } from './platform/mail/tasks'

/** All tasks of worker threads. */
export const tasks = [
  readContent,
  readSitemapFile,
  cutContent,
  readFaqCsv,
  readContactsCsv,
  redactTexts,
  readDocument,
  pagePicture,
  readSite,
  workOnDraft,
  trainIntents,
  parseJson,
  renderMail,
  readMailSource,
  packModel,
  embedTexts,
] as const
