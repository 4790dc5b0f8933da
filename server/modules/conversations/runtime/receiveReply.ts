import type { Reply, SentReply } from '../../../../engine/flow/conversation'
import type { ConversationRef } from '../conversations/conversationRef'
import type { SentFiles } from './sentFiles'

/**
 * A reply as the engine takes it: files that a client named by their ids become what they are. Throws invalid for a file that this
 * conversation does not have.
 */
export async function receiveReply(files: SentFiles, ref: ConversationRef, sent: SentReply): Promise<Reply> {
  if (sent.type !== 'files') return sent
  return { type: 'files', files: await files.named(ref, sent.fileIds) }
}
