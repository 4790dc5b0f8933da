import type { Reply, SentReply } from '../../../../engine/flow/conversation'
import type { ConversationRef } from '../conversations/conversationRef'
import type { SentFiles } from './sentFiles'

/**
 * Converts a client's reply to the engine's form: replaces ids of uploaded files by the files' data. @throws ApiError
 * invalid for a file that this conversation does not have
 */
export async function receiveReply(files: SentFiles, ref: ConversationRef, sent: SentReply): Promise<Reply> {
  if (sent.type !== 'files') return sent
  return { type: 'files', files: await files.named(ref, sent.fileIds) }
}
