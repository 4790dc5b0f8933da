/** The channel's name in conversations. */
export const WHATSAPP = 'whatsapp'
