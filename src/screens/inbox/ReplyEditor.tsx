import { Lightbulb, Paperclip, SendHorizontal, Smile, Zap } from 'lucide-react'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { useDropzone } from 'react-dropzone'
import { useTranslation } from 'react-i18next'
import type { InboxConversation, InboxSetup, SavedReply } from '../../../server/contracts/inbox'
import { formatNumber } from '../../i18n/format'
import { MarkdownEditor, type MarkdownHandle, markdownOf } from '../../text/markdown/MarkdownEditor'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuEntry } from '../../ui/Menu'
import { Popover } from '../../ui/Popover'
import { Segmented } from '../../ui/Segmented'
import { forgetDraft, keepDraft, readDraft } from './drafts'
import { timeLeft } from './due'
import styles from './inbox.module.css'
import { NoteEditor } from './NoteEditor'
import { visitorName } from './names'
import { ReplyFileList } from './ReplyFileList'
import { ReplyWindow } from './ReplyWindow'
import dropStyles from './replyFiles.module.css'
import { SavedReplyList } from './SavedReplyList'
import { Suggestion } from './Suggestion'
import { fillIn } from './savedReplies'
import { TemplateReply } from './TemplateReply'
import { useNow } from './useNow'
import type { Replies } from './useReplies'
import type { ReplyFiles } from './useReplyFiles'
import { WhatsappLink } from './WhatsappLink'

interface ReplyEditorProps {
  conversation: InboxConversation
  setup: InboxSetup
  /** the number of the last message */
  last: number
  replies: Replies
  files: ReplyFiles
  onTyping: () => void
  ref: Ref<ReplyHandle>
}

/** What keys do to the editor. */
export interface ReplyHandle {
  /** puts the caret where a reply or a note is written */
  write(mode: 'reply' | 'note'): void
}

/** Saved replies in the menu; the others are found by their beginning. */
const IN_MENU = 30
const EMOJI = ['🙂', '😀', '😉', '😊', '👍', '🙏', '🎉', '❤️', '😅', '😕', '🤔', '👋', '✅', '❌', '⏳', '📎'] as const

/** Where visitors are answered, and colleagues told. What is written is kept on this device until it is sent. */
export function ReplyEditor({ conversation, setup, last, replies, files, onTyping, ref }: ReplyEditorProps) {
  const { t } = useTranslation('inbox')
  const { gid, text_cap: cap } = conversation
  const [mode, setMode] = useState<'reply' | 'note'>('reply')
  const [initial, setInitial] = useState(() => ({ text: readDraft(gid), number: 0 }))
  const [written, setWritten] = useState(initial.text)
  const [length, setLength] = useState(initial.text.length)
  const [suggests, setSuggests] = useState(false)
  const [active, setActive] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const noteBox = useRef<HTMLDivElement>(null)
  const editor = useRef<MarkdownHandle>(null)

  /** Puts another text in place of what is written. */
  const put = (text: string) => {
    setInitial(({ number }) => ({ text, number: number + 1 }))
    setWritten(text)
    setLength(text.length)
    keepDraft(gid, text)
  }
  useImperativeHandle(ref, () => ({
    write(next) {
      // what is hidden takes no focus
      flushSync(() => setMode(next))
      if (next === 'reply') focusEnd(box.current)
      else noteBox.current?.querySelector('textarea')?.focus()
    },
  }))
  const focus = () => requestAnimationFrame(() => focusEnd(box.current))
  /** Puts something at the cursor of what is written. */
  const insert = (markdown: string) => {
    editor.current?.insert(markdown)
    requestAnimationFrame(() => editor.current?.focus())
  }
  // what was taken back is to be edited
  useEffect(() => {
    if (replies.taken > 0) focusEnd(box.current)
  }, [replies.taken])

  const isTooLong = length > cap
  const now = useNow()
  const left = conversation.window_ends === null ? null : timeLeft(conversation.window_ends, now)
  const mayAnswer = !isTooLong && !files.isBusy && !left?.isOver
  const maySend = mayAnswer && (written.trim() !== '' || files.ready.length > 0)
  const isReply = mode === 'reply'
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    noClick: true,
    noKeyboard: true,
    useFsAccessApi: false,
    disabled: !isReply,
    onDrop: (accepted) => files.add(accepted),
  })
  const paste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files]
    if (pasted.length === 0) return
    event.preventDefault()
    event.stopPropagation()
    files.add(pasted)
  }
  const send = (close: boolean) => {
    const text = written.trim()
    if (!maySend) return
    replies.send(text, files.ready, close)
    files.clear()
    setInitial(({ number }) => ({ text: '', number: number + 1 }))
    setWritten('')
    setLength(0)
    forgetDraft(gid)
    focus()
  }
  const takeSaved = (saved: SavedReply) => {
    const me = setup.members.find((member) => member.gid === setup.me)?.name ?? ''
    const filled = fillIn(saved.body, {
      visitor: visitorName(conversation, t),
      name: me,
      chatbot: conversation.chatbot.name,
    })
    if (slash === null) return insert(filled)
    put(filled)
    focus()
  }
  /** what is typed after a slash at the beginning */
  const slash = /^\/(\S*)$/.exec(written.trim())?.[1] ?? null
  const matching =
    slash === null
      ? []
      : setup.saved_replies.filter(({ shortcut }) => shortcut.toLowerCase().startsWith(slash.toLowerCase())).slice(0, 8)

  const chosen = matching[Math.min(active, matching.length - 1)]

  const onKeys = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && matching.length > 0) {
      event.preventDefault()
      event.stopPropagation()
      setActive((at) => (Math.min(at, matching.length - 1) + step + matching.length) % matching.length)
      return
    }
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    if (chosen) takeSaved(chosen)
    else send(event.ctrlKey || event.metaKey)
  }

  return (
    <footer {...getRootProps({ className: styles.reply, role: undefined, tabIndex: undefined })} data-mode={mode}>
      <input {...getInputProps({ hidden: true, style: { display: 'none' }, 'aria-label': t('files.add') })} />
      {isDragActive && <div className={dropStyles.drop}>{t('files.drop')}</div>}
      <div className={styles.replyTop}>
        <Segmented
          label={t('reply.mode')}
          value={mode}
          options={[
            { value: 'reply', label: t('reply.reply') },
            { value: 'note', label: t('reply.note') },
          ]}
          onChange={setMode}
        />
        {conversation.blocked && <span className={styles.problem}>{t('reply.blocked')}</span>}
        {left && isReply && <ReplyWindow conversation={conversation} left={left} />}
        {left?.isOver && isReply && <TemplateReply conversation={conversation} last={last} />}
      </div>
      {/* both stay: what is written in one is there again after a look at the other */}
      <div hidden={isReply} ref={noteBox}>
        <NoteEditor conversation={conversation} setup={setup} />
      </div>
      <div hidden={!isReply}>
        {matching.length > 0 && <SavedReplyList replies={matching} active={chosen} onPick={takeSaved} />}
        {slash !== null && setup.saved_replies.length === 0 && (
          <p className={styles.noSaved} role="status">
            {t('reply.noSavedYet')}
          </p>
        )}
        {suggests && (
          <Suggestion
            conversation={conversation}
            last={last}
            onUse={(text) => {
              insert(text)
              setSuggests(false)
            }}
            onClose={() => setSuggests(false)}
          />
        )}
        <div className={styles.editor} ref={box} onKeyDownCapture={onKeys} onPasteCapture={paste}>
          <MarkdownEditor
            key={initial.number}
            ref={editor}
            compact
            label={t('reply.label')}
            placeholder={t('reply.placeholder')}
            initial={initial.text}
            max={cap}
            error={isTooLong ? t('reply.tooLong', { max: formatNumber(cap) }) : undefined}
            onChange={(text) => {
              setLength(text.length)
              const markdown = markdownOf(text)
              if (markdown === written) return
              setWritten(markdown)
              setActive(0)
              onTyping()
              keepDraft(gid, markdown)
            }}
          />
        </div>
        {files.all.length > 0 && <ReplyFileList files={files} />}
        <div className={styles.replyFoot}>
          <IconButton size="s" label={t('files.add')} icon={<Paperclip size={15} />} onClick={open} />
          <Menu position="top-start">
            <Menu.Target>
              <IconButton size="s" label={t('reply.saved')} icon={<Zap size={15} />} />
            </Menu.Target>
            <Menu.Dropdown>
              {setup.saved_replies.length === 0 && <Menu.Label>{t('reply.noSaved')}</Menu.Label>}
              {setup.saved_replies.slice(0, IN_MENU).map((saved) => (
                <MenuEntry key={saved.gid} onClick={() => takeSaved(saved)}>
                  /{saved.shortcut}
                </MenuEntry>
              ))}
              {setup.saved_replies.length > IN_MENU && (
                <Menu.Label>{t('reply.moreSaved', { count: setup.saved_replies.length - IN_MENU })}</Menu.Label>
              )}
            </Menu.Dropdown>
          </Menu>
          <IconButton
            size="s"
            label={t('suggestion.label')}
            icon={<Lightbulb size={15} />}
            active={suggests}
            onClick={() => setSuggests(!suggests)}
          />
          <EmojiMenu onPick={insert} />
          <WhatsappLink
            conversation={conversation}
            onMade={(link) => {
              put([written.trim(), link].filter(Boolean).join('\n\n'))
              focus()
            }}
          />
          <span className={styles.space} />
          <span className={styles.hint}>{t('reply.hint')}</span>
          <Button size="s" disabled={!maySend} onClick={() => send(true)}>
            {t('reply.sendAndClose')}
          </Button>
          <Button
            size="s"
            design="primary"
            icon={<SendHorizontal size={14} />}
            disabled={!maySend}
            onClick={() => send(false)}
          >
            {t('reply.send')}
          </Button>
        </div>
      </div>
    </footer>
  )
}

/** Focuses the text in an element, with the caret behind it. */
function focusEnd(box: HTMLElement | null): void {
  const text = box?.querySelector<HTMLElement>('[role="textbox"]')
  if (!text) return
  text.focus()
  const selection = window.getSelection()
  selection?.selectAllChildren(text)
  selection?.collapseToEnd()
}

function EmojiMenu({ onPick }: { onPick: (emoji: string) => void }) {
  const { t } = useTranslation('inbox')
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="top-start" trapFocus>
      <Popover.Target>
        <IconButton size="s" label={t('reply.emoji')} icon={<Smile size={15} />} onClick={() => setOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown className={styles.emoji} aria-label={t('reply.emoji')}>
        {EMOJI.map((emoji) => (
          <button
            key={emoji}
            type="button"
            onClick={() => {
              setOpen(false)
              onPick(emoji)
            }}
          >
            {emoji}
          </button>
        ))}
      </Popover.Dropdown>
    </Popover>
  )
}
