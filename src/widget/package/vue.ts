import { defineComponent, h, onBeforeUnmount, onMounted } from 'vue'
import { defineParleyChat, loadParley, type ParleyApi } from './index'

const text = { type: String, required: true } as const
const where = { server: text, chatbot: text, nonce: String }

/** A chatbot beside the page, for as long as this is rendered. Says `ready` with the chat. */
export const ParleyBubble = defineComponent({
  name: 'ParleyBubble',
  props: { ...where, kind: String as () => 'bubble' | 'popup' | 'page' },
  emits: { ready: (_chat: ParleyApi) => true },
  setup(props, { emit }) {
    let api: ParleyApi | null = null
    let isGone = false
    onMounted(async () => {
      api = await loadParley(props)
      // rendered no more before it was there
      if (isGone) api.destroy()
      else emit('ready', api)
    })
    onBeforeUnmount(() => {
      isGone = true
      api?.destroy()
    })
    return () => null
  },
})

/** A chatbot as a part of the page. */
export const ParleyChat = defineComponent({
  name: 'ParleyChat',
  props: where,
  setup(props) {
    onMounted(() => defineParleyChat(props))
    return () => h('parley-chat', { key: props.chatbot, chatbot: props.chatbot })
  },
})
