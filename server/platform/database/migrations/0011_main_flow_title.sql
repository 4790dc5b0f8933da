-- Beside other flows, the chatbot's name says nothing of the one that it begins in.
update flows set title = 'Main flow' where is_main;
