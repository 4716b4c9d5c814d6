-- The filter of this book: that of ndcg-ref, with the subject of this folder
function Pandoc(document)
  local words = {"pandoc", "--subject", "classification", "--mark", table.unpack(PANDOC_STATE.input_files)}
  return pandoc.read(pandoc.pipe("ndcg-ref", words, pandoc.write(document, "json")), "json")
end
