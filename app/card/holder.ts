/** The person a card is issued to. */
export interface Holder {
  id: string;
  name: string;
}
